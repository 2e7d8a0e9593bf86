/**
 * What attacks do to the service and to a good client of it, as a table in Markdown for docs/security-grpc.md.
 *
 *     node test/attacks/figures.ts [--only PATTERN] [--seconds N]
 *
 * Each attack has a service of its own. It is made again and again for N seconds (5 unless told otherwise), one connection at
 * a time unless its name says otherwise. The good client makes four calls at a time, before and during that.
 */
import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { grpcCodes } from '../../src/transport/grpc-status.ts';
import { allAttacks } from './all-attacks.ts';
import type { Attack } from './attack.ts';
import type { AttackerData, AttackerMessage, Totals } from './attacker.ts';
import { type Faults, faultsOf } from './fault-counts.ts';
import type { Seen } from './frame-counter.ts';
import { watchMemory } from './memory-watch.ts';
import { startTarget, type Target } from './target.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string' } } });
const only = new RegExp(values.only ?? '', 'i');
const ms = 1_000 * Number(values.seconds ?? 5);
const bytesPerMiB = 1_048_576;
/** By number. */
const statusNames = Object.keys(grpcCodes);

const columns = [
  'Attack',
  'Sent',
  'What Weir did',
  'Held, MiB',
  'RSS, MiB',
  'Good calls/s',
  'p50, ms',
  'p99, ms',
  'Failed',
];

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown CPU'}\n`,
);
console.log(`| ${columns.join(' | ')} |\n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |`);
for (const attack of allAttacks) {
  if (only.test(attack.name)) console.log(`| ${(await measure(attack)).join(' | ')} |`);
}

/** The cells of one row. */
async function measure(attack: Attack): Promise<string[]> {
  await using target = await startTarget(attack.env, { lanes: 4 });
  await target.good.goesOn(10_000);
  target.good.takeTimes();
  await sleep(ms);
  const before = serviceTimes(target.good.takeTimes(), ms);
  const { totals, growth } = await attackFor(target, attack, ms);
  const during = serviceTimes(target.good.takeTimes(), 1_000 * totals.seconds);
  const faults = faultsOf(await target.metrics());
  const held = await heldUnder(target, attack);
  if (target.weir.exit !== undefined) throw new Error('the service has ended');
  return [
    attack.name,
    `${numberText(totals.sent)} ${attack.unit}, ${octetsText(totals.octetsSent / totals.seconds)}/s`,
    outcome(totals.last, faults),
    held.toFixed(1),
    growth === undefined ? '' : growth.toFixed(0),
    `${numberText(before.perSecond)} → ${numberText(during.perSecond)}`,
    `${before.p50.toFixed(1)} → ${during.p50.toFixed(1)}`,
    `${before.p99.toFixed(1)} → ${during.p99.toFixed(1)}`,
    numberText(target.good.failures.length),
  ];
}

async function attackFor(
  target: Target,
  attack: Attack,
  forMs: number,
): Promise<{ totals: Totals; growth: number | undefined }> {
  using memory = watchMemory(target.weir.pid);
  const totals = await inThread({ name: attack.name, address: target.address, ms: forMs }, async () => {});
  return { totals, growth: memory.growth };
}

/** Collecting garbage holds the service up, so this is looked at apart from the times. */
async function heldUnder(target: Target, attack: Attack): Promise<number> {
  const before = await target.heldBytes();
  let held = before;
  await inThread({ name: attack.name, address: target.address, ms: 0 }, async () => {
    held = Math.max(held, await target.heldBytes());
  });
  return (held - before) / bytesPerMiB;
}

function inThread(data: AttackerData, look: () => Promise<void>): Promise<Totals> {
  const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: data });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (message: AttackerMessage) => {
      if (message !== 'look') resolve(message.totals);
      else look().then(() => worker.postMessage('go on'), reject);
    });
  });
}

interface ServiceTimes {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

function serviceTimes(times: number[], inMs: number): ServiceTimes {
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { perSecond: (1_000 * sorted.length) / inMs, p50: at(0.5), p99: at(0.99) };
}

/** What became of its connections and calls: of all that were counted, and else of the last. */
function outcome({ goaway, statuses }: Seen, faults: Faults): string {
  const names = Object.keys(faults);
  // The last GOAWAY tells the code of all only where all have the same fault.
  const isOneKind = names.filter((name) => name.startsWith('connection')).length === 1;
  const counted = Object.entries(faults).map(([name, count]) => {
    const [what, fault] = name.split(' ');
    const code = what === 'connection' && isOneKind && goaway !== undefined ? `GOAWAY ${goaway.code}, ` : '';
    return `${code}\`${fault}\` on ${numberText(count)} ${what}${count === 1 ? '' : 's'}`;
  });
  if (counted.length > 0) return counted.join('; ');
  const answers = Object.keys(statuses).map((status) => statusNames[Number(status)] ?? status);
  return answers.length > 0 ? `answered: ${answers.join(', ')}` : 'let them be';
}

function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 0 });
}

function octetsText(octets: number): string {
  if (octets < 10_000) return `${numberText(octets)} B`;
  return octets < 1_000_000 ? `${numberText(octets / 1_000)} kB` : `${(octets / 1_000_000).toFixed(1)} MB`;
}
