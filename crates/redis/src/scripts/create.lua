if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then
  for i = 4, 6, 2 do
    if redis.call('HGET', KEYS[2], ARGV[i]) ~= ARGV[i + 1] then return 2 end
  end
end
local why = full(ARGV[1] + #ARGV[2])
if why then return why end
redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
if KEYS[2] then redis.call('HSET', KEYS[2], unpack(ARGV, 4)) end
return 0
