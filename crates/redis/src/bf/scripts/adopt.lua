if redis.call('EXISTS', KEYS[1]) == 0 then return 2 end
if has(KEYS[1], redis.call('GET', KEYS[2])) then return 1 end
mark(ARGV[1])
return 0
