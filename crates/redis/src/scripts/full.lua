local function full(need)
  local info = redis.pcall('INFO', 'memory')
  local max = type(info) == 'string' and tonumber(info:match('maxmemory:(%d+)')) or 0
  if max == 0 then return nil end
  local used, policy = tonumber(info:match('used_memory:(%d+)')), info:match('maxmemory_policy:(%l+)')
  local evicts = policy == 'allkeys'
  if policy == 'volatile' then
    local keys = redis.pcall('INFO', 'keyspace')
    evicts = type(keys) == 'string' and keys:match('expires=[1-9]') ~= nil
  end
  if need > (evicts and max or max - used) then return {max, used} end
end
