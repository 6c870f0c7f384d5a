redis.call('DEL', ARGV[1])
redis.call('LPUSH', ARGV[1], '')
redis.call('LINDEX', ARGV[1], 0)
redis.call('TYPE', ARGV[1])
redis.call('DEL', ARGV[1])
redis.call('EXISTS', KEYS[1])
redis.pcall('GETRANGE', KEYS[1], 0, 0)
redis.call('RENAME', KEYS[1], KEYS[1])
return 1
