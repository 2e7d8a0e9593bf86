import { setTimeout as sleep } from 'node:timers/promises';
import { frame, preface, settings } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Attack } from './attack.ts';
import type { Seen } from './frame-counter.ts';
import { connectHostile, type HostileConnection, type HostileOptions } from './hostile-connection.ts';
import { begin } from './hostile-frames.ts';
import { impatient } from './slow-attacks.ts';

/** Connections of one client at the same time. */
export interface Crowd extends AsyncDisposable {
  readonly members: readonly HostileConnection[];
}

/** Opened at the same time: more would fill the queue of the listener. */
const atOnce = 100;

export async function openCrowd(address: string, size: number, options: HostileOptions = {}): Promise<Crowd> {
  const members: HostileConnection[] = [];
  while (members.length < size) {
    const count = Math.min(atOnce, size - members.length);
    members.push(
      ...(await Promise.all(Array.from({ length: count }, () => connectHostile(address, options)))),
    );
  }
  return {
    members,
    async [Symbol.asyncDispose]() {
      for (const { socket } of members) socket.destroy();
      await waitUntil('the crowd to leave', () => members.every(({ isOpen }) => !isOpen));
    },
  };
}

/** Connections that have said all they must, and then say nothing. */
export async function openIdleCrowd(address: string, size: number): Promise<Crowd> {
  const crowd = await openCrowd(address, size);
  await waitUntil('SETTINGS for all', () => crowd.members.every((member) => member.count('SETTINGS') === 2));
  return crowd;
}

/** The largest crowd up to a size for which this process, and one that it starts, may open files enough. */
export function crowdAllowed(wanted: number): number {
  const { userLimits } = process.report.getReport() as unknown as {
    readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } };
  };
  const { soft } = userLimits.open_files;
  return soft === 'unlimited' ? wanted : Math.min(wanted, soft - 500);
}

/** Where a peer falls silent, or leaves: how it begins, and what it then sends. */
export interface Place {
  readonly options: HostileOptions;
  readonly octets: Buffer;
}

export const places: Readonly<Record<string, Place>> = {
  'after the connect': { options: { settings: 'none' }, octets: Buffer.alloc(0) },
  'in the preface': { options: { settings: 'none' }, octets: preface.subarray(0, 10) },
  'after the preface': { options: { settings: 'none' }, octets: preface },
  'in its SETTINGS': {
    options: { settings: 'none' },
    octets: Buffer.concat([preface, settings([4, 1])]).subarray(0, -3),
  },
  'after its SETTINGS': { options: {}, octets: Buffer.alloc(0) },
  'in a frame': { options: {}, octets: begin(1).subarray(0, -5) },
  'in a header block': { options: {}, octets: frame('HEADERS', 0, 1, Buffer.of(0x82)) },
  'in a request': { options: {}, octets: begin(1) },
};

/** How long the crowds of these attacks stay, in ms. */
const stayMs = 3_000;

export const idleConnections: Attack = {
  name: '10,000 idle connections',
  unit: 'connections',
  async run(address, look) {
    const size = crowdAllowed(10_000);
    await using crowd = await openIdleCrowd(address, size);
    await look();
    await sleep(stayMs);
    return { sent: size, seen: seenBy(crowd) };
  },
};

/** They cost the service a frame each that it was promised, until they are late. */
export const begunFrames: Attack = {
  name: '2,000 connections with the head of a frame of 16 KiB',
  unit: 'connections',
  async run(address, look) {
    const size = crowdAllowed(2_000);
    await using crowd = await openIdleCrowd(address, size);
    const head = frame('DATA', 0, 1, Buffer.alloc(16_384)).subarray(0, 9);
    await Promise.all(crowd.members.map((member) => member.send(head)));
    await look();
    await sleep(stayMs);
    return { sent: size, seen: seenBy(crowd) };
  },
};

export const comeAndGo: Attack = {
  name: 'Connections that come and go',
  unit: 'connections',
  async run(address, look) {
    const size = 500;
    const crowd = await openIdleCrowd(address, size);
    await crowd[Symbol.asyncDispose]();
    await look();
    return { sent: size, seen: seenBy(crowd) };
  },
};

export const silentPeers: Attack = {
  name: 'Peers that fall silent, at eight places',
  unit: 'connections',
  env: impatient,
  async run(address, look) {
    const each = 50;
    const crowds = await Promise.all(
      Object.values(places).map(async ({ options, octets }) => {
        const crowd = await openCrowd(address, each, { ...options, staysHalfOpen: true });
        await Promise.all(crowd.members.map((member) => member.send(octets)));
        return crowd;
      }),
    );
    await look();
    await sleep(2 * stayMs);
    const members = crowds.flatMap((crowd) => crowd.members);
    for (const crowd of crowds) await crowd[Symbol.asyncDispose]();
    return { sent: members.length, seen: seenBy({ members }) };
  },
};

/** What the first one saw that was told to leave, or else the first of all. */
function seenBy({ members }: Pick<Crowd, 'members'>): Seen {
  const seen = members.map((member) => member.seen);
  const first = seen.find(({ goaway }) => goaway !== undefined) ?? seen[0];
  if (first === undefined) throw new Error('a crowd of nobody');
  return { ...first, octetsSent: seen.reduce((sum, { octetsSent }) => sum + octetsSent, 0) };
}
