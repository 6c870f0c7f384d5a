if not has(KEYS[1], ARGV[1]) then return 0 end
for _, key in ipairs(KEYS) do redis.call(ARGV[2], key, unpack(ARGV, 3)) end
return 1
