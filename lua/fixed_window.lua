#!lua flags=allow-cross-slot-keys
-- Counts hits in fixed windows that are aligned to the Unix epoch, by this server's clock. One call does all the hits
-- that wait for a node. `src/algorithm/fixed-window.ts` is the specification that this script equals.
--
-- A counter is one integer below 2^53: (window index modulo 2^20) * 2^33 + count, with a count of 0 to 2^32. The window
-- in the value decides what the count means; the key's expiry only removes what is no longer needed. A value of another
-- window, and one that is not of this form, counts as 0 and is replaced by the next hit that takes.
--
-- KEYS    None are needed. Servers and proxies that route by declared keys, and slots that are on the move, get them;
--         the script itself reads keys from ARGV only.
-- ARGV[1] longest extra life of a key in milliseconds; windows of a minute and more get a tenth of their length at most
-- ARGV[2] number of single hits
-- ARGV[3] number of compensations
--         then for each single hit:    key, window seconds, cost
--         then for each compensation:  key, window seconds, cost, window index modulo 2^20
--         then to the end, groups:     number of hits, and for each: key, window seconds, cost, limit, denies
--         cost    integer; > 0 takes, 0 looks, < 0 gives back. A compensation undoes what was counted in its window, if
--                 the counter is still in it; it never creates a counter.
--         denies  a (the group when over), t (the group when all of this kind are over), n (nothing)
--         A group is counted only if it is not denied by its own hits.
--
-- Returns an array: this server's time in milliseconds; then
--         for each single hit:    the count before it; -1 when the key is not this node's; or the text of an error
--         for each compensation:  0, -1 or the text of an error
--         for each group:         1 counted, 0 denied, -1 not executed as a key is not this node's; unless -1, followed
--                                 by the count before each hit, or the text of its error
-- Errors  Each command runs under pcall, so an error concerns its own hit alone.
local pcall = redis.pcall
local window_limit, count_limit, max_count = 1048576, 8589934592, 4294967296 -- 2^20, 2^33, 2^32
local time = redis.call('TIME')
local micros = tonumber(time[2])
local now = tonumber(time[1]) * 1000 + (micros - micros % 1000) / 1000
local max_jitter = tonumber(ARGV[1])

-- The least value of this moment's window, which is the value of a count of 0 in it.
local function window_start(length)
  return (now - now % length) / length % window_limit * count_limit
end

local function failure(reply)
  if string.find(reply.err, 'non local key', 1, true) then return -1 end
  return reply.err
end

-- Expiry in Unix milliseconds. Millions of keys that end in the same millisecond would stall the server, so long
-- windows are spread. The spread needs no quality, only to differ from hit to hit.
local function expiry(length, position)
  local ends = now - now % length + length
  if length < 60000 then return ends end
  return ends + math.min(max_jitter, length / 10) * ((micros * 7919 + position * 104729) % 1000003 / 1000003)
end

local function start_counter(key, length, value, position)
  local reply = pcall('SET', key, string.format('%.0f', value), 'PXAT', string.format('%.0f', expiry(length, position)))
  if reply.err then return failure(reply) end
  return 0
end

-- The common case is one INCRBY. A result that equals the cost is a new key, which has no expiry yet; in window 0 it
-- would look like the present one. The value before is told from the result, so that window and count are judged as one.
local function take(key, length, cost_text, position)
  local cost, start = tonumber(cost_text), window_start(length)
  local result = pcall('INCRBY', key, cost_text)
  if type(result) == 'table' then
    local is_number_problem = string.find(result.err, 'not an integer', 1, true)
      or string.find(result.err, 'would overflow', 1, true)
    if not is_number_problem then return failure(result) end
    return start_counter(key, length, start + cost, position)
  end
  local before = result - cost - start
  if before < 0 or before > max_count or result == cost then
    return start_counter(key, length, start + cost, position)
  end
  if before + cost > max_count then
    local reply = pcall('SET', key, string.format('%.0f', start + max_count), 'KEEPTTL')
    if reply.err then return failure(reply) end
  end
  return before
end

-- The count of the window that begins at this value, nil when there is none; as a second result, why it can't be read.
local function look(key, start)
  local reply = pcall('GET', key)
  if not reply then return nil end
  if type(reply) == 'table' then return nil, failure(reply) end
  if reply ~= '0' and not string.find(reply, '^[1-9]%d*$') then return nil end
  local count = tonumber(reply) - start
  if count < 0 or count > max_count then return nil end
  return count
end

local function change(key, count, cost)
  local delta = math.min(math.max(cost, -count), max_count - count)
  if delta == 0 then return count end
  local reply = pcall('INCRBY', key, string.format('%.0f', delta))
  if type(reply) == 'table' then return failure(reply) end
  return count
end

local function do_hit(key, length, cost_text, position)
  local cost = tonumber(cost_text)
  if cost > 0 then return take(key, length, cost_text, position) end
  local count, problem = look(key, window_start(length))
  if problem then return problem end
  if not count then return 0 end
  return change(key, count, cost)
end

local function compensate(key, cost, window)
  local count, problem = look(key, window * count_limit)
  if problem then return problem end
  if not count then return 0 end
  local result = change(key, count, cost)
  if type(result) == 'string' or result == -1 then return result end
  return 0
end

-- Looks at a group's hits in order, equal keys with a running sum. Returns -1, or for each hit the count before it or
-- the text of its error; and whether they deny the group.
local function judge(first, size)
  local befores, running = {}, {}
  local denied, together, together_over = false, 0, 0
  for hit = 1, size do
    local at = first + (hit - 1) * 5
    local key, cost, denies = ARGV[at], tonumber(ARGV[at + 2]), ARGV[at + 4]
    local before, problem = running[key], nil
    if not before then
      before, problem = look(key, window_start(ARGV[at + 1] * 1000))
      if problem == -1 then return -1 end
      before = problem or before or 0
    end
    befores[hit] = before
    running[key] = before
    local over = false
    if type(before) == 'number' then
      local after = math.min(math.max(before + cost, 0), max_count)
      running[key] = after
      over = cost >= 0 and after > tonumber(ARGV[at + 3])
    end
    if denies == 'a' then
      denied = denied or over
    elseif denies == 't' then
      together = together + 1
      if over then together_over = together_over + 1 end
    end
  end
  return befores, denied or (together > 0 and together_over == together)
end

local answer = { now }
local size = 1
local singles, compensations = tonumber(ARGV[2]), tonumber(ARGV[3])
local at = 4
for _ = 1, singles do
  size = size + 1
  answer[size] = do_hit(ARGV[at], ARGV[at + 1] * 1000, ARGV[at + 2], at)
  at = at + 3
end
for _ = 1, compensations do
  size = size + 1
  answer[size] = compensate(ARGV[at], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]))
  at = at + 4
end
while ARGV[at] do
  local group_size = tonumber(ARGV[at])
  local first = at + 1
  local befores, denied = judge(first, group_size)
  size = size + 1
  if befores == -1 then
    answer[size] = -1
  else
    answer[size] = denied and 0 or 1
    for hit = 1, group_size do
      local hit_at = first + (hit - 1) * 5
      local before = befores[hit]
      if not denied and type(before) == 'number' then
        before = do_hit(ARGV[hit_at], ARGV[hit_at + 1] * 1000, ARGV[hit_at + 2], hit_at)
      end
      size = size + 1
      answer[size] = before
    end
  end
  at = first + group_size * 5
end
return answer
