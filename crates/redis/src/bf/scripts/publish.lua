if redis.call('EXISTS', KEYS[3]) == 0 then return has(KEYS[1], ARGV[1]) and 0 or 2 end
if redis.call('RENAMENX', KEYS[3], KEYS[1]) == 0 then
  redis.call('UNLINK', KEYS[3])
  return 1
end
redis.call('PERSIST', KEYS[1])
mark(ARGV[1])
return 0
