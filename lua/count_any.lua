-- Does the hits that wait for a node, where a limit counts in another way than in fixed windows.
--
-- ARGV[1] longest extra life of a key in milliseconds; those that live for a minute and more get a tenth of it at most
-- ARGV[2] to ARGV[5] numbers of single hits: of f, c, s and t
-- ARGV[6] number of compensations
--         then for each single hit, in the order of their algorithms:  key, cost, parameters
--         then for each compensation:  window, lowest, algorithm, key, cost, parameters
--         then to the end, groups:     number of hits, and for each: limit, denies, algorithm, key, cost, parameters
--         algorithm   f (fixed window), c (calendar window), s (sliding window), t (token bucket), each with the parameters
--                     that its file names; those of f are the window's length in seconds
--         window      where it was counted, as the algorithm tells windows apart; 0 where it does not
--         cost        in units where the algorithm is t
--         cost, denies, lowest, groups and compensations as in `count_fixed_windows.lua`
--
-- Returns an array: this server's time in milliseconds; then
--         for each single hit:    what it found, as its algorithm says: one number, or two for s; not_local when the key is
--                                 not this node's; or the text of an error
--         for each compensation:  0, not_local or the text of an error
--         for each group:         1 counted, 0 denied, not_local not executed as a key is not this node's; unless that,
--                                 followed by what each hit found, or the text of its error
local fixed_window = { parameters = 1 }

function fixed_window.hit(key, cost_text, at)
  return hit_fixed_window(key, args[at] * 1000, cost_text, at)
end

function fixed_window.look(key, at)
  local count, problem = look(key, fixed_start(args[at] * 1000))
  return count or 0, problem
end

function fixed_window.judge(count, cost, limit)
  local after = min(max(count + cost, min(count, 0)), max_count)
  return cost >= 0 and after > limit, after
end

function fixed_window.compensate(key, cost, _, window, lowest)
  return compensate(key, cost, window % window_limit, lowest)
end

calendar_window.judge = fixed_window.judge
local algorithms = { f = fixed_window, c = calendar_window, s = sliding_window, t = token_bucket }
local answer, size = { now }, 1

local function tell(found, second)
  size = size + 1
  answer[size] = found
  if second then
    size = size + 1
    answer[size] = second
  end
end

-- Looks at a group's hits in order, those on equal keys each after the one before. Returns the places of its hits in ARGV, what
-- each of them found or the text of its error, whether they deny the group, and where the next group is; or not_local and that.
local function judge(at, group_size)
  local places, founds, running = {}, {}, {}
  local denied, together, together_over, member_over, is_local = false, 0, 0, false, true
  for hit = 1, group_size do
    local limit, denies, algorithm = tonumber(args[at]), args[at + 1], algorithms[args[at + 2]]
    local key, cost, parameters = args[at + 3], tonumber(args[at + 4]), at + 5
    local found, problem = running[key], nil
    if is_local and not found then
      found, problem = algorithm.look(key, parameters)
      found = problem or found
    end
    if found == not_local then is_local = false end
    places[hit], founds[hit] = at + 2, found
    local over = false
    if is_local and type(found) ~= 'string' then
      over, running[key] = algorithm.judge(found, cost, limit, parameters)
    elseif is_local then
      running[key] = found
    end
    if denies == 'a' then
      denied = denied or over
    elseif denies ~= 'n' then
      if denies == 't' then together, member_over = together + 1, false end
      if over and not member_over then together_over, member_over = together_over + 1, true end
    end
    at = parameters + algorithm.parameters
  end
  if not is_local then return not_local, nil, nil, at end
  return places, founds, denied or (together > 0 and together_over == together), at
end

local function do_hit(at)
  local algorithm = algorithms[args[at]]
  tell(algorithm.hit(args[at + 1], args[at + 2], at + 3))
  return at + 3 + algorithm.parameters
end

-- Single hits, those of one algorithm after those of another.
local at = 7
local function do_singles(count, algorithm)
  local hit, step = algorithm.hit, 2 + algorithm.parameters
  for _ = 1, count do
    local found, second = hit(args[at], args[at + 1], at + 2)
    size = size + 1
    answer[size] = found
    if second then
      size = size + 1
      answer[size] = second
    end
    at = at + step
  end
end

for number, letter in ipairs({ 'f', 'c', 's', 't' }) do
  do_singles(tonumber(args[number + 1]), algorithms[letter])
end
for _ = 1, tonumber(args[6]) do
  local algorithm, lowest = algorithms[args[at + 2]], tonumber(args[at + 1])
  tell(algorithm.compensate(args[at + 3], tonumber(args[at + 4]), at + 5, tonumber(args[at]), lowest))
  at = at + 5 + algorithm.parameters
end
while args[at] do
  local group_size = tonumber(args[at])
  local places, founds, denied, next_at = judge(at + 1, group_size)
  if places == not_local then
    tell(not_local)
  else
    tell(denied and 0 or 1)
    for hit = 1, group_size do
      local found = founds[hit]
      if not denied and type(found) ~= 'string' then
        do_hit(places[hit])
      elseif type(found) == 'table' then
        tell(found[1], found[2])
      else
        tell(found)
      end
    end
  end
  at = next_at
end
return answer
