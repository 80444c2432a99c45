-- Sends the requests of a file one after another: every record has the same length and is a whole HTTP request.
-- Arguments: the file, the length of a record, how many records to pass over, and for how many milliseconds a connection pauses before
-- each request.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  length = tonumber(arguments[2])
  file = assert(io.open(arguments[1], 'rb'))
  file:seek('set', length * tonumber(arguments[3]))
  sent = 0
  rewinds = 0
  local pause = tonumber(arguments[4])
  -- wrk asks for pauses only where there is such a function. They are not part of the latency.
  if pause > 0 then
    function delay()
      return math.random(pause / 2, pause * 3 / 2)
    end
  end
end

function request()
  local record = file:read(length)
  if record == nil then
    rewinds = rewinds + 1
    file:seek('set', 0)
    record = file:read(length)
  end
  sent = sent + 1
  return record
end

function done(summary, latency)
  local sent, rewinds = 0, 0
  for _, thread in ipairs(threads) do
    sent = sent + thread:get('sent')
    rewinds = rewinds + thread:get('rewinds')
  end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"sent":%d,"rewinds":%d,"p50":%d,"p99":%d,"mean":%.1f,' ..
    '"refused":%d,"broken":%d,"timeouts":%d}\n',
    summary.requests, summary.duration, sent, rewinds, latency:percentile(50), latency:percentile(99), latency.mean,
    errors.status, errors.connect + errors.read + errors.write, errors.timeout))
end
