local found = redis.pcall('BF.MEXISTS', KEYS[1], unpack(ARGV, 2))
local is_there = true
for i = 1, 4 do is_there = is_there and found[i] == 1 end
if not is_there and redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], ARGV[1]) end
return found
