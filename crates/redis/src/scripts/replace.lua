if KEYS[2] then redis.call('HLEN', KEYS[2]) end
local length = redis.call('STRLEN', KEYS[1])
if length > 0 and redis.call('GETRANGE', KEYS[1], -#ARGV[7], -1) == ARGV[7] then
  local is_mine = redis.call('GETRANGE', KEYS[1], ARGV[5], ARGV[5] + 7) == ARGV[4]
  if not is_mine or ARGV[6] == '-1' or redis.call('GETBIT', KEYS[1], ARGV[6]) == 1 then return 1 end
elseif length > tonumber(ARGV[3]) then return 2 end
local why = full(ARGV[1] + #ARGV[2] - length)
if why then return why end
redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2])
if KEYS[2] then redis.call('HSET', KEYS[2], unpack(ARGV, 8)) end
return 0
