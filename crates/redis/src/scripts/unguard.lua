if redis.call('TYPE', KEYS[1]).ok ~= 'list' then return 0 end
if redis.call('LINDEX', KEYS[1], 0) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if redis.call('EXISTS', ARGV[1]) == 1 then redis.call('RENAME', ARGV[1], KEYS[1]) end
return 0
