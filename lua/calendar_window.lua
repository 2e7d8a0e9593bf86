-- Counting in windows of the calendar, whose bounds the caller has computed: counters in fixed windows whose window is the
-- hour in which it begins, counted from the epoch.
--
-- Parameters: the beginnings, in Unix milliseconds, of the windows before the present one, of the present one, and of the two
-- after it, as the caller expects this server's time. Which of them is the present one is decided here.
local calendar_window = { parameters = 4 }
local hour = 3600000

-- The value of a count of 0 in the present window, when it ends and how long it is; nil when it is none of those given.
local function calendar_span(at)
  local begins, ends = tonumber(args[at]), nil
  if now < begins then return nil end
  for next_at = at + 1, at + 3 do
    ends = tonumber(args[next_at])
    if now < ends then return (begins - begins % hour) / hour % window_limit * count_limit, ends, ends - begins end
    begins = ends
  end
  return nil
end

local out_of_calendar = 'CLOCK this server\'s time is in none of the windows that were expected'

function calendar_window.hit(key, cost_text, at)
  local start, ends, length = calendar_span(at)
  if not start then return out_of_calendar end
  return count_in(key, start, cost_text, ends, length, at)
end

function calendar_window.look(key, at)
  local start = calendar_span(at)
  if not start then return nil, out_of_calendar end
  local count, problem = look(key, start)
  return count or 0, problem
end

function calendar_window.compensate(key, cost, _, window, lowest)
  return compensate(key, cost, window % window_limit, lowest)
end
