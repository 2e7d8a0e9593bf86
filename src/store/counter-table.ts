import type { Counter } from '../algorithm/fixed-window.ts';

/** A counter in the table, linked to its neighbours in age among windows of the same length. */
export interface TableEntry {
  readonly key: string;
  readonly age: AgeList;
  counter: Counter;
  /** Milliseconds since the epoch. */
  endsAtMs: number;
  /** Ascending in the order in which windows began; tells the oldest of several lists. */
  order: number;
  older: TableEntry | undefined;
  newer: TableEntry | undefined;
}

/** The counters of one window length, oldest window first: those that have ended are at its head. */
interface AgeList {
  readonly windowSeconds: number;
  oldest: TableEntry | undefined;
  newest: TableEntry | undefined;
}

/** How many ended counters of a list each new one takes away, so that the table shrinks to those that count. */
const sweptPerInsertion = 2;

/**
 * A bounded map of counters. A full table drops a counter whose window has ended, else the one whose window began first.
 * Every operation takes constant time for a given set of window lengths, also when the table is full.
 */
export class CounterTable {
  readonly #entries = new Map<string, TableEntry>();
  readonly #ages = new Map<number, AgeList>();
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

  /** @param entry what {@link get} gave for this key */
  put(
    key: string,
    windowSeconds: number,
    counter: Counter,
    nowMs: number,
    entry: TableEntry | undefined = this.get(key),
  ): void {
    if (entry === undefined) this.#insert(key, windowSeconds, counter, nowMs);
    else {
      const began = entry.counter.window !== counter.window;
      entry.counter = counter;
      if (began) this.#renew(entry);
    }
  }

  #insert(key: string, windowSeconds: number, counter: Counter, nowMs: number): void {
    const age = this.#ageList(windowSeconds);
    this.#sweep(age, nowMs);
    this.#sweepAnother(age, nowMs);
    if (this.#entries.size >= this.#capacity) this.#evict(nowMs);
    const entry = { key, age, counter, endsAtMs: 0, order: 0, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
  }

  #renew(entry: TableEntry): void {
    unlink(entry);
    this.#append(entry);
  }

  #append(entry: TableEntry): void {
    const { age } = entry;
    entry.endsAtMs = (entry.counter.window + 1) * age.windowSeconds * 1000;
    this.#order += 1;
    entry.order = this.#order;
    entry.older = age.newest;
    entry.newer = undefined;
    if (age.newest === undefined) age.oldest = entry;
    else age.newest.newer = entry;
    age.newest = entry;
  }

  #ageList(windowSeconds: number): AgeList {
    let age = this.#ages.get(windowSeconds);
    if (age === undefined) {
      age = { windowSeconds, oldest: undefined, newest: undefined };
      this.#ages.set(windowSeconds, age);
    }
    return age;
  }

  #sweep(age: AgeList, nowMs: number): void {
    for (let swept = 0; swept < sweptPerInsertion; swept += 1) {
      if (age.oldest === undefined || age.oldest.endsAtMs > nowMs) return;
      this.#drop(age.oldest);
    }
  }

  /** Sweeps one of the other lists, each in its turn: no rule may have windows of their length any more to do it. */
  #sweepAnother(own: AgeList, nowMs: number): void {
    if (this.#ages.size === 1) return;
    let other = this.#nextInTurn();
    if (other === own) other = this.#nextInTurn();
    this.#sweep(other, nowMs);
    if (other.oldest === undefined) this.#ages.delete(other.windowSeconds);
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
