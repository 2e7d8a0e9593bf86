-- Counting in a window that slides. `src/algorithm/sliding-window.ts` is the specification that this equals.
--
-- Two keys hold counters in fixed windows, one those of even index and one those of odd: so one of them has the present
-- window, and the other the window before, until that one is over too.
--
-- The key is that of even windows. Parameters: the length of a window in seconds, and the key of odd windows.
local sliding_window = { parameters = 2 }

-- The key and the value of a count of 0 of the present window, and of the one before.
local function sliding_keys(even_key, at, index)
  local start, start_before = index % window_limit * count_limit, (index - 1) % window_limit * count_limit
  if index % 2 == 0 then return even_key, start, args[at + 1], start_before end
  return args[at + 1], start, even_key, start_before
end

-- Takes from the present window first, then from the one before; what is taken of each.
local function given_back(current, previous, amount)
  local of_current = min(max(current, 0), amount)
  return of_current, min(previous, amount - of_current)
end

-- The hits of both windows, before which nothing is done: a key may be another node's. What was granted in the window before has
-- ended with it. A third result for an error.
local function look_at_both(key, start, key_before, start_before)
  local previous, problem = look(key_before, start_before)
  if problem then return nil, nil, problem end
  local current
  current, problem = look(key, start)
  return current or 0, max(previous or 0, 0), problem
end

local function give_back_sliding(even_key, cost, at)
  local length = args[at] * 1000
  local key, start, key_before, start_before = sliding_keys(even_key, at, (now - now % length) / length)
  local current, previous, problem = look_at_both(key, start, key_before, start_before)
  if problem then return problem end
  local of_current, of_previous = given_back(current, previous, -cost)
  local result = of_current > 0 and change(key, current, -of_current, 0) or 0
  if type(result) == 'string' or result == not_local then return result end
  result = of_previous > 0 and change(key_before, previous, -of_previous, 0) or 0
  if type(result) == 'string' or result == not_local then return result end
  return current, previous
end

-- Returns the hits of the present window and of the one before; or a single not_local or text of an error. The window before is
-- looked at first: once a hit has been taken, it must not be said to have not.
function sliding_window.hit(even_key, cost_text, at)
  local length, cost = args[at] * 1000, tonumber(cost_text)
  if cost <= 0 then return give_back_sliding(even_key, cost, at) end
  local begun = now - now % length
  local key, start, key_before, start_before = sliding_keys(even_key, at, begun / length)
  local previous, problem = look(key_before, start_before)
  if problem then return problem end
  local current = take(key, start, cost_text, begun + 2 * length, length, at)
  if type(current) == 'string' or current == not_local then return current end
  return current, max(previous or 0, 0)
end

function sliding_window.look(even_key, at)
  local length = args[at] * 1000
  local key, start, key_before, start_before = sliding_keys(even_key, at, (now - now % length) / length)
  local current, previous, problem = look_at_both(key, start, key_before, start_before)
  if problem then return nil, problem end
  return { current, previous }
end

-- a * b / c, rounded up: long multiplication in two halves, as the product may be far beyond 2^53.
local function product_over(a, b, c)
  local low = a % 65536
  local high = (a - low) / 65536 * b
  local rest = high % c
  local lower = rest * 65536 + low * b
  local remainder = lower % c
  return (high - rest) / c * 65536 + (lower - remainder) / c + (remainder > 0 and 1 or 0)
end

-- Whether the limit is exceeded with this hit, and what the hit would leave.
function sliding_window.judge(found, cost, limit, at)
  local length, current, previous = args[at] * 1000, found[1], found[2]
  if cost < 0 then
    local of_current, of_previous = given_back(current, previous, -cost)
    return false, { current - of_current, previous - of_previous }
  end
  local used = min(current + product_over(previous, length - now % length, length), max_count)
  return min(used + cost, max_count) > limit, { min(current + cost, max_count), previous }
end

function sliding_window.compensate(even_key, cost, at, window, lowest)
  return compensate(window % 2 == 0 and even_key or args[at + 1], cost, window % window_limit, lowest)
end
