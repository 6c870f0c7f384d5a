if redis.call('GETRANGE', KEYS[1], ARGV[2], ARGV[2] + 7) ~= ARGV[1] then return 0 end
if KEYS[2] then redis.call('HLEN', KEYS[2]) end
return {redis.call(unpack(ARGV, 3))}
