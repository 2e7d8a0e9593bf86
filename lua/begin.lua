#!lua flags=allow-cross-slot-keys
-- What every script begins with. Scripts are put together from these files by `scripts/gen-lua.ts`: `count_fixed_windows` for
-- calls in which every limit counts in fixed windows, `count_any` for all others.
--
-- KEYS    None are needed. Servers and proxies that route by declared keys, and slots that are on the move, get them;
--         the script itself reads keys from ARGV only.
-- Errors  Each command runs under pcall, so an error concerns its own hit alone.
local pcall, args, tonumber, type = redis.pcall, ARGV, tonumber, type -- locals are found sooner than globals
local floor, ceil, min, max, format = math.floor, math.ceil, math.min, math.max, string.format
local window_limit, count_limit, max_count = 1048576, 8589934592, 4294967296 -- 2^20, 2^33, 2^32
local min_count, not_local = -4294967295, -8589934592 -- -(2^32-1); an answer that no count can be
local time = redis.call('TIME')
local micros = tonumber(time[2])
local now = tonumber(time[1]) * 1000 + (micros - micros % 1000) / 1000
local max_jitter = tonumber(args[1])

local function failure(reply)
  if string.find(reply.err, 'non local key', 1, true) then return not_local end
  return reply.err
end

local function is_number_problem(reply)
  return string.find(reply.err, 'not an integer', 1, true) or string.find(reply.err, 'would overflow', 1, true)
end

-- Expiry in Unix milliseconds. Millions of keys that end in the same millisecond would stall the server, so those of a
-- minute and more are spread. The spread needs no quality, only to differ from hit to hit.
local function expiry(ends, length, position)
  if length < 60000 then return ends end
  return ends + min(max_jitter, length / 10) * ((micros * 7919 + position * 104729) % 1000003 / 1000003)
end
