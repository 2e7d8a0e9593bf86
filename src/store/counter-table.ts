import type { Counter } from '../algorithm/counter.ts';
import type { Counting } from '../domain/counting.ts';

/** A counter in the table, linked to its neighbours in age among those that live as long. */
export interface TableEntry {
  readonly key: string;
  readonly age: AgeList;
  counter: Counter;
  /** Milliseconds since the epoch. */
  endsAtMs: number;
  /** Ascending in the order in which they began to end then; tells the oldest of several lists. */
  order: number;
  older: TableEntry | undefined;
  newer: TableEntry | undefined;
}

/** Counters that live alike, the oldest first: those that have ended are at its head, or come there before long. */
interface AgeList {
  readonly lifetime: Lifetime;
  oldest: TableEntry | undefined;
  newest: TableEntry | undefined;
}

type Lifetime = number | string;

/** What it is written with. */
export interface NewCounter {
  readonly counting: Counting;
  readonly counter: Counter;
  readonly endsAtMs: number;
}

/** How many ended counters of a list each new one takes away, so that the table shrinks to those that count. */
const sweptPerInsertion = 2;

/**
 * A bounded map of counters. A full table drops a counter that has ended, else the one that was the first to be begun or renewed.
 * Every operation takes constant time for a given set of lifetimes, also when the table is full.
 */
export class CounterTable {
  readonly #entries = new Map<string, TableEntry>();
  readonly #ages = new Map<Lifetime, AgeList>();
  readonly #capacity: number;
  readonly #onEvict: () => void;
  #order = 0;
  /** The lists that are still to be swept before the first has its turn again. */
  #turns: Iterator<AgeList, undefined> = this.#ages.values();

  /** @param onEvict called for each counter dropped before its window ended */
  constructor(capacity: number, onEvict: () => void) {
    this.#capacity = Math.max(1, capacity);
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): TableEntry | undefined {
    return this.#entries.get(key);
  }

  /** Writes to a counter that is there. */
  update(entry: TableEntry, counter: Counter, endsAtMs: number): void {
    entry.counter = counter;
    if (entry.endsAtMs !== endsAtMs) this.#renew(entry, endsAtMs);
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#drop(entry);
  }

  /** Begins one that {@link get} does not find. */
  insert(key: string, { counting, counter, endsAtMs }: NewCounter, nowMs: number): void {
    const age = this.#ageList(lifetimeOf(counting));
    this.#sweep(age, nowMs);
    this.#sweepAnother(age, nowMs);
    if (this.#entries.size >= this.#capacity) this.#evict(nowMs);
    const entry = { key, age, counter, endsAtMs, order: 0, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
  }

  #renew(entry: TableEntry, endsAtMs: number): void {
    unlink(entry);
    entry.endsAtMs = endsAtMs;
    this.#append(entry);
  }

  #append(entry: TableEntry): void {
    const { age } = entry;
    this.#order += 1;
    entry.order = this.#order;
    entry.older = age.newest;
    entry.newer = undefined;
    if (age.newest === undefined) age.oldest = entry;
    else age.newest.newer = entry;
    age.newest = entry;
  }

  #ageList(lifetime: Lifetime): AgeList {
    let age = this.#ages.get(lifetime);
    if (age === undefined) {
      age = { lifetime, oldest: undefined, newest: undefined };
      this.#ages.set(lifetime, age);
    }
    return age;
  }

  #sweep(age: AgeList, nowMs: number): void {
    for (let swept = 0; swept < sweptPerInsertion; swept += 1) {
      if (age.oldest === undefined || age.oldest.endsAtMs > nowMs) return;
      this.#drop(age.oldest);
    }
  }

  /** Sweeps one of the other lists, each in its turn: no rule may count in them any more to do it. */
  #sweepAnother(own: AgeList, nowMs: number): void {
    if (this.#ages.size === 1) return;
    let other = this.#nextInTurn();
    if (other === own) other = this.#nextInTurn();
    this.#sweep(other, nowMs);
    if (other.oldest === undefined) this.#ages.delete(other.lifetime);
  }

  /** Not to be called when there are no lists. */
  #nextInTurn(): AgeList {
    let turn = this.#turns.next();
    if (turn.done) {
      this.#turns = this.#ages.values();
      turn = this.#turns.next();
    }
    return turn.value as AgeList;
  }

  #evict(nowMs: number): void {
    let oldest: TableEntry | undefined;
    for (const age of this.#ages.values()) {
      const candidate = age.oldest;
      if (candidate === undefined) continue;
      if (candidate.endsAtMs <= nowMs) {
        this.#drop(candidate);
        return;
      }
      if (oldest === undefined || candidate.order < oldest.order) oldest = candidate;
    }
    if (oldest === undefined) return;
    this.#drop(oldest);
    this.#onEvict();
  }

  #drop(entry: TableEntry): void {
    unlink(entry);
    this.#entries.delete(entry.key);
  }
}

function unlink(entry: TableEntry): void {
  const { age, older, newer } = entry;
  if (older === undefined) age.oldest = newer;
  else older.newer = newer;
  if (newer === undefined) age.newest = older;
  else newer.older = older;
}

/** Equal for counters that end in the order in which they were begun, or nearly so. */
function lifetimeOf(counting: Counting): Lifetime {
  switch (counting.kind) {
    case 'fixed_window':
      return counting.windowSeconds;
    case 'sliding_window':
      return 2 * counting.windowSeconds;
    case 'calendar_window':
      return counting.id;
    case 'token_bucket': {
      const fillMs = (counting.burst * counting.unitsPerToken) / (counting.unitsPerMs || 1);
      return `bucket ${Math.ceil(Math.log2(fillMs + 1))}`;
    }
  }
}
