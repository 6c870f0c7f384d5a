local there = redis.pcall('GETRANGE', KEYS[1], ARGV[2], ARGV[2] + 7)
if there == ARGV[1] then return 1 end
if type(there) == 'table' then return 0 end
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], ARGV[3]) end
redis.call('LPUSH', KEYS[1], ARGV[3])
return 0
