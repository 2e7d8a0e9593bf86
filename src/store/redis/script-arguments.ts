import type { Adjustment } from '../../domain/adjustment.ts';
import type { Counting } from '../../domain/counting.ts';
import type { Denies, Hit } from '../../domain/hit.ts';
import type { Operation } from './join-hits.ts';
import type { CompensationTask, GroupTask } from './task.ts';

/** What a call of a script is to do. */
export interface CallContent {
  readonly operations: readonly Operation[];
  readonly compensations: readonly CompensationTask[];
  readonly groups: readonly GroupTask[];
}

export interface ArgumentOptions {
  /** The longest extra life of a key. */
  readonly maxJitterMs: number;
  /** The server's time, as far as it is known, in ms since the epoch. */
  readonly serverMs: number;
}

/** More than any bucket holds; below 2^53, as all that is computed with. */
const maxUnits = 2 ** 51;
/** The scripts' count of windows is modulo this. */
const windowLimit = 2 ** 20;
const deniesLetter: Readonly<Record<Denies, string>> = {
  always: 'a',
  together: 't',
  'with-previous': 'u',
  never: 'n',
};

type Kind = Counting['kind'];
const algorithmLetter: Readonly<Record<Kind, string>> = {
  fixed_window: 'f',
  calendar_window: 'c',
  sliding_window: 's',
  token_bucket: 't',
};
/** In which single hits stand in a call. */
const kindsInOrder: readonly Kind[] = ['fixed_window', 'calendar_window', 'sliding_window', 'token_bucket'];

/** Single hits as the script for all algorithms takes them; hits on one key keep their order. */
export function inOrderOfKinds(operations: readonly Operation[]): readonly Operation[] {
  return kindsInOrder.flatMap((kind) => operations.filter(isOf(kind)));
}

function isOf(kind: Kind): (operation: Operation) => boolean {
  return ({ counting }) => counting.kind === kind;
}

/** Whether every limit counts in fixed windows: such a call takes the shorter script. */
export function isOfFixedWindows({ operations, compensations, groups }: CallContent): boolean {
  return (
    operations.every(isFixed) &&
    compensations.every(isFixed) &&
    groups.every(({ hits }) => hits.every(isFixed))
  );
}

function isFixed({ counting }: { readonly counting: Counting }): boolean {
  return counting.kind === 'fixed_window';
}

/** The arguments of `lua/count_fixed_windows.lua`, as its header says. */
export function fixedWindowArguments(content: CallContent, { maxJitterMs }: ArgumentOptions): string[] {
  const { operations, compensations, groups } = content;
  const args = [String(maxJitterMs), String(operations.length), String(compensations.length)];
  for (const { key, counting, cost } of operations) args.push(key, secondsOf(counting), String(cost));
  for (const { key, lowest, cost, window } of compensations) {
    args.push(key, String(lowest), String(cost), String(window % windowLimit));
  }
  for (const { hits } of groups) {
    args.push(String(hits.length));
    for (const { key, counting, cost, limit, denies } of hits) {
      args.push(key, secondsOf(counting), String(cost), String(limit), deniesLetter[denies]);
    }
  }
  return args;
}

/** Of a fixed window, whose id is its length. */
function secondsOf({ id }: Counting): string {
  return id;
}

/** The arguments of `lua/count_any.lua`, as its header says. */
export function anyArguments(content: CallContent, options: ArgumentOptions): string[] {
  const { operations, compensations, groups } = content;
  const { maxJitterMs, serverMs } = options;
  const args = [String(maxJitterMs)];
  for (const kind of kindsInOrder) args.push(String(operations.filter(isOf(kind)).length));
  args.push(String(compensations.length));
  for (const { key, counting, cost, tasks } of operations) {
    // Hits on one bucket have one cost, and are taken one by one.
    const [first] = tasks;
    const isBucket = counting.kind === 'token_bucket' && first !== undefined;
    pushHit(args, { key, counting, cost: isBucket ? first.hit.cost : cost, times: tasks.length }, serverMs);
  }
  for (const compensation of compensations) {
    const { window, lowest, counting } = compensation;
    args.push(String(window), String(lowest), algorithmLetter[counting.kind]);
    pushHit(args, { ...compensation, times: 'undone' }, serverMs);
  }
  for (const { hits } of groups) {
    args.push(String(hits.length));
    for (const hit of hits) {
      args.push(String(hit.limit), deniesLetter[hit.denies], algorithmLetter[hit.counting.kind]);
      pushHit(args, { ...hit, times: 1 }, serverMs);
    }
  }
  return args;
}

/** The arguments of `lua/adjust_counter.lua`, as its header says. */
export function adjustArguments(hit: Hit, adjustment: Adjustment, options: ArgumentOptions): string[] {
  const letter = algorithmLetter[hit.counting.kind];
  const args = [String(options.maxJitterMs), adjustment.kind, String(hit.limit), letter];
  const cost = adjustment.kind === 'grant' ? -adjustment.hits : 0;
  pushHit(args, { key: hit.key, counting: hit.counting, cost, times: 1 }, options.serverMs);
  return args;
}

interface WrittenHit extends Pick<Hit, 'key' | 'counting' | 'cost'> {
  /** Hits that are done as one, or what hits did that is undone as one. */
  readonly times: number | 'undone';
}

/** The keys in the store for a counter with this one. */
export function storedKeys({ key, counting }: Pick<Hit, 'key' | 'counting'>): readonly string[] {
  return counting.kind === 'sliding_window' ? [evenKey(key), oddKey(key)] : [key];
}

/** A window that slides has a counter for windows of even index, and one for those of odd. */
function evenKey(key: string): string {
  return `${key}0`;
}

function oddKey(key: string): string {
  return `${key}1`;
}

/** Key, cost and parameters. */
function pushHit(args: string[], { key, counting, cost, times }: WrittenHit, serverMs: number): void {
  switch (counting.kind) {
    case 'fixed_window':
      args.push(key, String(cost), String(counting.windowSeconds));
      return;
    case 'sliding_window':
      args.push(evenKey(key), String(cost), String(counting.windowSeconds), oddKey(key));
      return;
    case 'token_bucket': {
      const { burst, unitsPerToken, unitsPerMs } = counting;
      const each = clamped(cost * unitsPerToken);
      const fitting = cost > 0 && times !== 'undone' ? Math.min(times, Math.floor(burst / cost)) : 1;
      args.push(key, String(fitting * each));
      args.push(String(burst * unitsPerToken), String(unitsPerMs), String(each));
      return;
    }
    case 'calendar_window': {
      const { calendar } = counting;
      const present = calendar.spanAt(serverMs);
      const before = calendar.spanAt(present.startMs - 1);
      const after = calendar.spanAt(present.endMs);
      args.push(key, String(cost));
      args.push(String(before.startMs), String(present.startMs), String(present.endMs), String(after.endMs));
      return;
    }
  }
}

function clamped(units: number): number {
  return Math.min(Math.max(units, -maxUnits), maxUnits);
}
