local function has(key, settings)
  return settings and redis.call('BF.EXISTS', key, '\0bouquet:' .. settings) == 1
end
local function mark(settings)
  redis.call('BF.ADD', KEYS[1], '\0bouquet:' .. settings)
  redis.call('SET', KEYS[2], settings)
end
