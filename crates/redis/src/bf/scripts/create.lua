if redis.call('EXISTS', KEYS[1]) == 1 then
  local there = redis.call('GET', KEYS[2])
  if ARGV[2] == '-' then return 1 end
  if has(KEYS[1], there) then
    if there ~= ARGV[2] or ARGV[3] == '' then return 1 end
    if redis.call('BF.EXISTS', KEYS[1], ARGV[3]) == 1 then return 1 end
  end
else
  local why = full(tonumber(ARGV[4]))
  if why then return why end
  redis.call('BF.RESERVE', KEYS[1], unpack(ARGV, 5))
end
mark(ARGV[1])
return 0
