local found = redis.pcall('BF.MEXISTS', KEYS[1], unpack(ARGV, 2))
if found[1] == 1 then return found end
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], ARGV[1]) end
return found
