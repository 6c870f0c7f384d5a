local function has(key, mark, byte)
  return redis.call('GETRANGE', key, byte, byte + 7) == mark
end
if not has(KEYS[2], ARGV[1], ARGV[2]) then
  return has(KEYS[1], ARGV[1], ARGV[2]) and 0 or 2
end
if KEYS[3] then redis.call('HLEN', KEYS[3]) end
local length, other = redis.call('STRLEN', KEYS[1]), false
if length > 0 then
  local is_filter = redis.call('GETRANGE', KEYS[1], -#ARGV[5], -1) == ARGV[5]
  other = not is_filter or not has(KEYS[1], ARGV[3], ARGV[4])
end
if other then
  redis.call('UNLINK', KEYS[2])
  return 1
end
local left = redis.call('PTTL', KEYS[1])
redis.call('UNLINK', KEYS[1])
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('PERSIST', KEYS[1])
if KEYS[3] then redis.call('HSET', KEYS[3], unpack(ARGV, 6)) end
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
  if KEYS[3] then redis.call('PEXPIRE', KEYS[3], left) end
end
return 0
