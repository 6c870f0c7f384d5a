for i, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then return i end
end
local why = full(ARGV[1] + #ARGV[2])
if why then return why end
redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
if KEYS[2] then redis.call('HSET', KEYS[2], unpack(ARGV, 4)) end
return 0
