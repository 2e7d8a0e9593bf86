-- Counting in a bucket of tokens. `src/algorithm/token-bucket.ts` is the specification that this equals.
--
-- A bucket is one integer below 2^53: when it will be full again, in units, modulo a span of many fillings. Time is told in
-- units too: so many as flow in meanwhile. So taking is one INCRBY, and what is missing is the value less the present time.
--
-- The cost of a hit is in units here, and that of all hits that are done as one; 0 also where one of them is more than a full
-- bucket holds. Parameters: units of a full bucket; units that flow in each millisecond; units of one hit. Hits are taken one
-- by one, for as long as there are tokens.
local token_bucket = { parameters = 3 }
local exact_limit = 4503599627370496 -- 2^52

-- The span of values, and the present time in it.
local function bucket_time(per_ms)
  local turn = floor(exact_limit / per_ms)
  return turn * per_ms, now % turn * per_ms
end

-- A key lives until its bucket is full, and somewhat longer, so that its expiry is set anew only once in a while: when the
-- time at which it will be full has come into the next part of a row of equal parts. Each is as long as filling takes.
local function part_length(size, per_ms)
  return max(ceil(size / per_ms), 1000)
end

local function bucket_expiry(size, per_ms, missing, position)
  local length = part_length(size, per_ms)
  local part = floor((now + missing / per_ms) / length)
  return format('%.0f', expiry((part + 2) * length, length, position))
end

local function store_bucket(key, size, per_ms, missing, position)
  local span, time = bucket_time(per_ms)
  local value = (time + missing - 1) % span + 1 -- never 0, which a key that is not there is taken for
  local expires = bucket_expiry(size, per_ms, missing, position)
  local reply = pcall('SET', key, format('%.0f', value), 'PXAT', expires)
  if reply.err then return failure(reply) end
end

-- What is missing, at most a full bucket; a second result for an error. A value that is not of these times is that of a full
-- bucket.
local function read_bucket(key, size, per_ms)
  if size == 0 then return 0 end
  local reply = pcall('GET', key)
  if not reply then return 0 end
  if type(reply) == 'table' then return nil, failure(reply) end
  if not string.find(reply, '^%d+$') or #reply > 16 then return 0 end
  local span, time = bucket_time(per_ms)
  local missing = (tonumber(reply) - time) % span
  if missing > 2 * size then return 0 end
  return min(missing, size)
end

-- Gives tokens back, or takes some that were given back. A full bucket is not stored, and stays so.
local function change_bucket(key, units, at)
  local size, per_ms = tonumber(args[at]), tonumber(args[at + 1])
  local missing, problem = read_bucket(key, size, per_ms)
  if problem then return problem end
  local left = min(max(missing + units, 0), size)
  if missing == 0 or left == missing then return missing end
  return store_bucket(key, size, per_ms, left, at) or missing
end

-- Whether the bucket was to be full in another part than it now is to be. What was missing is below 0 where it is full.
local function is_to_be_renewed(size, per_ms, missing, left)
  local length = part_length(size, per_ms)
  return floor((now + missing / per_ms) / length) ~= floor((now + left / per_ms) / length)
end

-- Takes from a full bucket, from which an amount was taken already that its value does not tell: it was full before now.
local function take_from_full(key, size, per_ms, units, value, at)
  local span, time = bucket_time(per_ms)
  local full_for = (time - value) % span
  if value <= 0 or value > span or is_to_be_renewed(size, per_ms, -full_for, units) then
    return store_bucket(key, size, per_ms, units, at) or 0
  end
  local reply = pcall('INCRBY', key, format('%.0f', time - value))
  if type(reply) == 'table' then return failure(reply) end
  return 0
end

-- Returns the units that were missing before; not_local or the text of an error.
function token_bucket.hit(key, units_text, at)
  local units = tonumber(units_text)
  if units <= 0 then return change_bucket(key, units, at) end
  local size, per_ms = tonumber(args[at]), tonumber(args[at + 1])
  local result = pcall('INCRBY', key, units_text)
  if type(result) == 'table' then
    if not is_number_problem(result) then return failure(result) end
    return store_bucket(key, size, per_ms, units, at) or 0
  end
  local value = result - units
  local span, time = bucket_time(per_ms)
  local missing = (value - time) % span
  if value <= 0 or missing == 0 or missing > 2 * size then
    return take_from_full(key, size, per_ms, units, value, at)
  end
  local taken, reply = units, nil
  if missing + units > size then
    local each = tonumber(args[at + 2])
    taken = missing >= size and 0 or floor((size - missing) / each) * each
    reply = pcall('INCRBY', key, format('%.0f', taken - units)) -- what there were no tokens for
  end
  if value > span or (taken > 0 and is_to_be_renewed(size, per_ms, missing, missing + taken)) then
    reply = store_bucket(key, size, per_ms, missing + taken, at)
    if reply then return reply end
  elseif type(reply) == 'table' then
    return failure(reply)
  end
  return min(missing, size)
end

function token_bucket.look(key, at)
  return read_bucket(key, tonumber(args[at]), tonumber(args[at + 1]))
end

function token_bucket.judge(missing, _, _, at)
  local each = tonumber(args[at + 2])
  if each > 0 and missing + each > tonumber(args[at]) then return true, missing end
  return false, max(missing + each, 0)
end

-- A bucket has no windows: what was taken and has not flowed in again is given back.
function token_bucket.compensate(key, units, at)
  local result = change_bucket(key, units, at)
  if type(result) == 'string' or result == not_local then return result end
  return 0
end
