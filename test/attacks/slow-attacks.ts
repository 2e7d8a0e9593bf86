import { frame, preface, settings } from '../support/http2-frames.ts';
import { onConnection } from './attack.ts';
import { begin, data, smallRequest } from './hostile-frames.ts';

/** So that nobody need wait for ten seconds. */
export const impatient = { GRPC_RECEIVE_TIMEOUT: '2s', GRPC_HANDSHAKE_TIMEOUT: '2s' };

/** Slow loris: one frame, octet by octet. */
export const slowHeaders = onConnection(
  { name: 'HEADERS, octet by octet', unit: 'octets', env: impatient },
  async (client) => {
    await client.drip(begin(1), 100);
    await client.ended();
    return client.seen.octetsSent;
  },
);

/** A header block in frames, each of which is in time. */
export const slowBlock = onConnection(
  { name: 'A header block, frame by frame', unit: 'octets', env: impatient },
  async (client) => {
    await client.send(frame('HEADERS', 0, 1, Buffer.of(0x82)));
    for (let index = 0; index < 8 && client.isOpen; index += 1) {
      await client.drip(frame('CONTINUATION', 0, 1, Buffer.of(0x84)), 50);
    }
    await client.ended();
    return client.seen.octetsSent;
  },
);

/** A request in frames, each of which is in time. */
export const slowBody = onConnection(
  { name: 'A request, octet by octet in frames', unit: 'octets', env: impatient },
  async (client) => {
    await client.send(begin(1));
    for (let index = 0; index < smallRequest.length && client.count('RST_STREAM') === 0; index += 1) {
      await client.drip(data(1, smallRequest.subarray(index, index + 1), false), 20);
    }
    return client.seen.octetsSent;
  },
);

export const slowPreface = onConnection(
  { name: 'A preface, octet by octet', unit: 'octets', env: impatient, settings: 'none' },
  async (client) => {
    await client.drip(Buffer.concat([preface, settings()]), 200);
    await client.ended();
    return client.seen.octetsSent;
  },
);
