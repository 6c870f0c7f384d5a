local length = redis.call('STRLEN', KEYS[1])
if length == 0 then return 3 end
if redis.call('GETRANGE', KEYS[1], -#ARGV[3], -1) == ARGV[3] then return 1 end
if length > tonumber(ARGV[1]) then return 2 end
redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2])
return 0
