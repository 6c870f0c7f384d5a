redis.call('RENAME', KEYS[1], KEYS[1])
redis.call('LPUSH', ARGV[1], '')
redis.call('DEL', ARGV[1])
return 1
