if redis.call('EXISTS', ARGV[1]) == 1 then redis.call('RENAME', ARGV[1], KEYS[1]) end
return 0
