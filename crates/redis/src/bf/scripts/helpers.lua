local function each_mark(settings, command, key)
  local all = true
  for i = 1, 4 do
    local reply = redis.call(command, key, '\0bouquet:' .. i .. ' ' .. settings)
    all = all and reply == 1
  end
  return all
end
local function has(key, settings)
  return settings and each_mark(settings, 'BF.EXISTS', key)
end
local function mark(settings)
  each_mark(settings, 'BF.ADD', KEYS[1])
  redis.call('SET', KEYS[2], settings)
end
