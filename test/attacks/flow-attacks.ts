import { setTimeout as sleep } from 'node:timers/promises';
import { frame, ping, windowUpdate } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { onConnection } from './attack.ts';
import type { HostileConnection } from './hostile-connection.ts';
import { begin, call, data, longAnswer, methods, streamId } from './hostile-frames.ts';

type Pairs = readonly (readonly [number, number])[];

const noWindow: Pairs = [[4, 0]];
const largestWindow: Pairs = [[4, 0x7fff_ffff]];

/** So that nobody need wait for half a minute. */
export const soonStalled = { GRPC_STALL_TIMEOUT: '3s' };

/** The connection's window begins with 65,535, whatever SETTINGS say. */
export const openConnectionWindow = windowUpdate(0, 0x7fff_ffff - 65_535);

/** The answers to 10,000 calls, of which none may be sent. */
export const zeroWindow = onConnection(
  { name: 'Window 0 and 10,000 calls', unit: 'calls', env: soonStalled, settings: noWindow },
  async (client, look) => {
    const sent = await client.flood(10_000, (index) => call(streamId(index)));
    await look();
    await client.ended();
    return sent;
  },
);

/** With signs of life: PING is answered, and calls get their HEADERS, whatever the windows are. */
export const zeroWindowAlive = onConnection(
  {
    name: 'Window 0, with PING and calls to look alive',
    unit: 'calls',
    env: soonStalled,
    settings: noWindow,
  },
  async (client) => {
    let sent = 0;
    for (; client.isOpen && sent < 1_000; sent += 1) {
      await client.send(call(streamId(sent)), ping());
      await sleep(100);
    }
    return sent;
  },
);

/** Answers in octets. */
export const windowsOfOne = onConnection(
  { name: 'Windows of one octet', unit: 'calls, answered in DATA of one octet', settings: noWindow },
  async (client) => {
    const calls = 100;
    const sent = await client.flood(calls, (index) => call(streamId(index)));
    await waitUntil('the heads', () => client.count('HEADERS') === calls);
    for (let round = 1; client.count('HEADERS') < 2 * calls && client.isOpen; round += 1) {
      await client.flood(calls, (index) => windowUpdate(streamId(index), 1));
      const hasCome = () => client.count('DATA') >= calls * round || client.count('HEADERS') === 2 * calls;
      await waitUntil('an octet each', () => hasCome() || !client.isOpen);
    }
    return sent;
  },
);

/** Asks and asks, and reads nothing of what it gets. */
export const neverReads = onConnection(
  {
    name: 'A client that never reads',
    unit: 'calls',
    env: soonStalled,
    settings: largestWindow,
    reads: false,
  },
  async (client, look) => {
    await client.send(openConnectionWindow);
    const sending = client.flood(1_000_000, (index) => call(streamId(index)));
    await Promise.race([sending, untilStuck(client)]);
    await look();
    return sending;
  },
);

/** When nothing more is taken. */
export async function untilStuck(client: HostileConnection): Promise<void> {
  let before = -1;
  for (let isSame = 0; isSame < 3; isSame = client.seen.octetsSent === before ? isSame + 1 : 0) {
    before = client.seen.octetsSent;
    await sleep(100);
  }
}

/** The same with questions whose answers are a hundred times as long. */
export const longAnswersUnread = onConnection(
  {
    name: 'Questions of 52 octets with answers of 5 kB, unread',
    unit: 'questions',
    env: soonStalled,
    settings: largestWindow,
    reads: false,
  },
  async (client, look) => {
    const inFrame = Math.floor(16_384 / longAnswer.length);
    const questions = Buffer.concat(Array.from({ length: inFrame }, () => longAnswer));
    await client.send(openConnectionWindow, begin(1, methods.reflect));
    const frames = await client.flood(60, () => data(1, questions, false));
    await look();
    await untilGivenUp(client);
    return frames * inFrame;
  },
);

/** Who does not read learns of the end only when it sends. It sends frames of a type that nobody knows. */
function untilGivenUp(client: HostileConnection): Promise<void> {
  return client.drip(Buffer.concat(Array.from({ length: 100 }, () => frame(99, 0, 0))), 100);
}
