import { onConnection } from './attack.ts';
import { openConnectionWindow } from './flow-attacks.ts';
import {
  begin,
  compressed,
  data,
  gzipField,
  methods,
  rateLimitRequest,
  serviceName,
  streamId,
} from './hostile-frames.ts';

const largestWindow: readonly (readonly [number, number])[] = [[4, 0x7fff_ffff]];

/** A thousand times larger than they look, all at once. */
export const gzipBombs = onConnection(
  { name: 'gzip: 4 KiB that become 4 MiB, 40 at once', unit: 'calls' },
  async (client) => {
    const bomb = compressed(Buffer.alloc(4_194_304));
    const sent = await client.flood(40, (index) =>
      Buffer.concat([begin(streamId(index), methods.decide, gzipField), data(streamId(index), bomb)]),
    );
    await client.answered(sent);
    return sent;
  },
);

/** A request as large as it may be, in as few octets: what it costs is deciding. */
export const gzipRequests = onConnection(
  { name: 'gzip: requests of 1,024 descriptors in 150 octets', unit: 'calls', settings: largestWindow },
  async (client) => {
    await client.send(openConnectionWindow);
    const request = compressed(rateLimitRequest(1_024));
    const sent = await client.flood(200, (index) =>
      Buffer.concat([begin(streamId(index), methods.decide, gzipField), data(streamId(index), request)]),
    );
    await client.answered(sent);
    return sent;
  },
);

/** Calls that would stay open, and hold what they were asked with. */
export const gzipNames = onConnection(
  { name: 'gzip: 40 watched names of 4 MB', unit: 'calls' },
  async (client) => {
    const name = compressed(serviceName(4_000_000));
    const sent = await client.flood(40, (index) =>
      Buffer.concat([begin(streamId(index), methods.watch, gzipField), data(streamId(index), name)]),
    );
    await client.answered(sent);
    return sent;
  },
);
