-- Does the hits that wait for a node, where every limit counts in fixed windows.
--
-- ARGV[1] longest extra life of a key in milliseconds; windows of a minute and more get a tenth of their length at most
-- ARGV[2] number of single hits
-- ARGV[3] number of compensations
--         then for each single hit:    key, window seconds, cost
--         then for each compensation:  key, lowest, cost, window index modulo 2^20
--         then to the end, groups:     number of hits, and for each: key, window seconds, cost, limit, denies
--         cost    integer; > 0 takes, 0 looks, < 0 gives back. A compensation undoes what was counted in its window, if
--                 the counter is still in it; it never creates a counter.
--         lowest  what a compensation may leave at least: the count that its hits found, or 0 if that is less
--         denies  a (the group when over), t (the group when all of this kind are over), u (one with the hit before it, over
--                 when either is), n (nothing)
--         A group is counted only if it is not denied by its own hits.
--
-- Returns an array: this server's time in milliseconds; then
--         for each single hit:    the count before it; not_local when the key is not this node's; or the text of an error
--         for each compensation:  0, not_local or the text of an error
--         for each group:         1 counted, 0 denied, not_local not executed as a key is not this node's; unless that,
--                                 followed by the count before each hit, or the text of its error

-- Looks at a group's hits in order, equal keys with a running sum. Returns not_local, or for each hit the count before it or
-- the text of its error; and whether they deny the group.
local function judge(first, size)
  local befores, running = {}, {}
  local denied, together, together_over, member_over = false, 0, 0, false
  for hit = 1, size do
    local at = first + (hit - 1) * 5
    local key, cost, denies = args[at], tonumber(args[at + 2]), args[at + 4]
    local before, problem = running[key], nil
    if not before then
      before, problem = look(key, fixed_start(args[at + 1] * 1000))
      if problem == not_local then return not_local end
      before = problem or before or 0
    end
    befores[hit] = before
    running[key] = before
    local over = false
    if type(before) == 'number' then
      local after = min(max(before + cost, min(before, 0)), max_count)
      running[key] = after
      over = cost >= 0 and after > tonumber(args[at + 3])
    end
    if denies == 'a' then
      denied = denied or over
    elseif denies ~= 'n' then
      if denies == 't' then together, member_over = together + 1, false end
      if over and not member_over then together_over, member_over = together_over + 1, true end
    end
  end
  return befores, denied or (together > 0 and together_over == together)
end

local answer = { now }
local size = 1
local singles, compensations = tonumber(args[2]), tonumber(args[3])
local at = 4
for _ = 1, singles do
  size = size + 1
  answer[size] = hit_fixed_window(args[at], args[at + 1] * 1000, args[at + 2], at)
  at = at + 3
end
for _ = 1, compensations do
  size = size + 1
  answer[size] = compensate(args[at], tonumber(args[at + 2]), tonumber(args[at + 3]), tonumber(args[at + 1]))
  at = at + 4
end
while args[at] do
  local group_size = tonumber(args[at])
  local first = at + 1
  local befores, denied = judge(first, group_size)
  size = size + 1
  if befores == not_local then
    answer[size] = not_local
  else
    answer[size] = denied and 0 or 1
    for hit = 1, group_size do
      local hit_at = first + (hit - 1) * 5
      local before = befores[hit]
      if not denied and type(before) == 'number' then
        before = hit_fixed_window(args[hit_at], args[hit_at + 1] * 1000, args[hit_at + 2], hit_at)
      end
      size = size + 1
      answer[size] = before
    end
  end
  at = first + group_size * 5
end
return answer
