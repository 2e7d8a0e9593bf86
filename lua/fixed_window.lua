-- Counting in windows that begin at 0. `src/algorithm/fixed-window.ts` is the specification that this equals.
--
-- A counter is one integer below 2^53: (window modulo 2^20) * 2^33 + count, with a count of -(2^32-1) to 2^32. A window has an
-- index; `start` is its index modulo 2^20, times 2^33, which is the value of a count of 0 in it. The window in the value decides
-- what the count means; the key's expiry only removes what is no longer needed. A value of another window, and one that is not
-- of this form, counts as 0 and is replaced by the next hit that takes.
--
-- A count is below 0 where more was granted than used (`adjust_counter.lua`). Such values lie between those of two windows, above
-- every count of the one before; those of window 0 are negative themselves.

local function start_counter(key, value, ends, length, position)
  local expires = format('%.0f', expiry(ends, length, position))
  local reply = pcall('SET', key, format('%.0f', value), 'PXAT', expires)
  if reply.err then return failure(reply) end
  return 0
end

-- The common case is one INCRBY. A result that equals the cost is a new key, which has no expiry yet; in window 0 it
-- would look like the present one. The value before is told from the result, so that window and count are judged as one.
local function take(key, start, cost_text, ends, length, position)
  local cost = tonumber(cost_text)
  local result = pcall('INCRBY', key, cost_text)
  if type(result) == 'table' then
    if not is_number_problem(result) then return failure(result) end
    return start_counter(key, start + cost, ends, length, position)
  end
  local before = result - cost - start
  if before < min_count or before > max_count or result == cost then
    return start_counter(key, start + cost, ends, length, position)
  end
  if before + cost > max_count then
    local reply = pcall('SET', key, format('%.0f', start + max_count), 'KEEPTTL')
    if reply.err then return failure(reply) end
  end
  return before
end

-- The count of the window that begins at this value, nil when there is none; as a second result, why it can't be read.
local function look(key, start)
  local reply = pcall('GET', key)
  if not reply then return nil end
  if type(reply) == 'table' then return nil, failure(reply) end
  -- What is no counter may look like one only where a count of 0 is 0.
  if start == 0 and reply ~= '0' and not string.find(reply, '^%-?[1-9]%d*$') then return nil end
  local count = (tonumber(reply) or 2 * min_count) - start
  if count < min_count or count > max_count or count % 1 > 0 then return nil end
  return count
end

-- Changes a count by so much, down to this one at least.
local function change(key, count, cost, lowest)
  local delta = min(max(cost, lowest - count), max_count - count)
  if delta == 0 then return count end
  local reply = pcall('INCRBY', key, format('%.0f', delta))
  if type(reply) == 'table' then return failure(reply) end
  return count
end

-- Does a hit in the window that begins at this value; returns the count before it, not_local or the text of an error.
local function count_in(key, start, cost_text, ends, length, position)
  local cost = tonumber(cost_text)
  if cost > 0 then return take(key, start, cost_text, ends, length, position) end
  local count, problem = look(key, start)
  if problem then return problem end
  if not count then return 0 end
  return change(key, count, cost, min(count, 0))
end

-- Undoes what was counted in a window, if the counter is still in it. It goes no lower than the count was then, or than 0, as
-- hits may have been given back since; unless a grant has since.
local function compensate(key, cost, window, lowest)
  local count, problem = look(key, window * count_limit)
  if problem then return problem end
  if not count then return 0 end
  local result = change(key, count, cost, count < lowest and min_count or lowest)
  if type(result) == 'string' or result == not_local then return result end
  return 0
end

-- Of windows that are aligned to the Unix epoch.
local function fixed_start(length)
  return (now - now % length) / length % window_limit * count_limit
end

local function hit_fixed_window(key, length, cost_text, position)
  local begun = now - now % length
  return count_in(key, begun / length % window_limit * count_limit, cost_text, begun + length, length, position)
end
