/**
 * Opens calls and leaves them open: `node open-calls-process.ts <address> <connections> <calls on each>`. Says `open` when
 * the server has acknowledged all that it was sent, and ends with its input.
 */
import { connectHttp2 } from '../support/http2-client.ts';
import { block, callFields, flags, frame, ping } from '../support/http2-frames.ts';

const [address = '', connections = '0', calls = '0'] = process.argv.slice(2);
const path = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
const fields = block(callFields(path));

for (let opened = 0; opened < Number(connections); opened++) {
  const client = await connectHttp2(address);
  const heads = Array.from({ length: Number(calls) }, (_, index) =>
    frame('HEADERS', flags.END_HEADERS, 1 + 2 * index, fields),
  );
  // The PING comes back when everything before it has been read.
  client.send(...heads, ping());
  await client.frame('the PING', ({ type, flags: bits }) => type === 'PING' && bits === flags.ACK);
}
console.log('open');
process.stdin.resume();
process.stdin.on('end', () => process.exit());
