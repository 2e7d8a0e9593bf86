-- Does what a person wants done to one counter. `src/algorithm/adjust-counter.ts` is the specification that this equals.
--
-- KEYS    those of the counter, for servers and proxies that route by them
-- ARGV[1] longest extra life of a key in milliseconds
-- ARGV[2] `reset`: the counter is removed. `grant`: hits are given beyond what was used, until the window ends
-- ARGV[3] the limit: what was counted above it was denied, and takes nothing from a grant
-- ARGV[4] algorithm, then key, cost and parameters, as a hit has them in `count_any.lua`; the cost is less than 0 for what is granted
--
-- Returns an array: this server's time in milliseconds; then what was found, as a hit finds it, or the text of an error.
local limit = tonumber(args[3])

-- Changes a count that was found, or nil, by so much. The span is that of its window: when it ends, and how long it is.
local function lower(key, start, count, delta, span)
  if count then return change(key, count, delta, min_count) end
  return start_counter(key, start + max(delta, min_count), span.ends, span.length, 1)
end

local function grant_in(key, start, cost, span)
  local count, problem = look(key, start)
  if problem then return problem end
  return lower(key, start, count, cost - max((count or 0) - limit, 0), span)
end

local fixed_window = {}

function fixed_window.look(key, at)
  local count, problem = look(key, fixed_start(args[at] * 1000))
  return count or 0, problem
end

function fixed_window.grant(key, cost, at)
  local length = args[at] * 1000
  return grant_in(key, fixed_start(length), cost, { ends = now - now % length + length, length = length })
end

function calendar_window.grant(key, cost, at)
  local start, ends, length = calendar_span(at)
  if not start then return out_of_calendar end
  return grant_in(key, start, cost, { ends = ends, length = length })
end

function sliding_window.grant(even_key, cost, at)
  local length = args[at] * 1000
  local begun = now - now % length
  local key, start, key_before, start_before = sliding_keys(even_key, at, begun / length)
  local previous, problem = look(key_before, start_before)
  if problem then return problem end
  previous = max(previous or 0, 0)
  local current
  current, problem = look(key, start)
  if problem then return problem end
  local weight = product_over(previous, length - now % length, length)
  local denied = max(min((current or 0) + weight, max_count) - limit, 0)
  return lower(key, start, current, cost - denied, { ends = begun + 2 * length, length = length }), previous
end

function token_bucket.grant(key, units, at)
  return change_bucket(key, units, at)
end

local algorithms = { f = fixed_window, c = calendar_window, s = sliding_window, t = token_bucket }
local algorithm, key, at = algorithms[args[4]], args[5], 7
if args[2] == 'grant' then
  local found, second = algorithm.grant(key, tonumber(args[6]), at)
  return { now, found, type(found) == 'number' and second or nil }
end
local found, problem = algorithm.look(key, at)
if problem then return { now, problem } end
for _, name in ipairs({ key, args[4] == 's' and args[at + 1] or nil }) do
  local reply = pcall('DEL', name)
  if type(reply) == 'table' then return { now, failure(reply) } end
end
if type(found) == 'table' then return { now, found[1], found[2] } end
return { now, found }
