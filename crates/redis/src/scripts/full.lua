local function full(need)
  local info = redis.pcall('INFO', 'memory')
  local max = type(info) == 'string' and tonumber(info:match('maxmemory:(%d+)')) or 0
  if max == 0 then return nil end
  local used = tonumber(info:match('used_memory:(%d+)'))
  local free, policy = max - used, info:match('maxmemory_policy:(%l+)')
  if policy == 'allkeys' then free = max end
  if policy == 'volatile' then
    local all, brief = 0, 0
    for keys, expiring in redis.call('INFO', 'keyspace'):gmatch('keys=(%d+),expires=(%d+)') do
      all, brief = all + keys, brief + expiring
    end
    if all > 0 then free = free + used * brief / all end
  end
  if need * 1.25 > free then return {max, used} end
end
