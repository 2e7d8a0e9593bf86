import type { Adjustment } from './adjustment.ts';
import type { Descriptor, Entry } from './descriptor.ts';
import type { Octets } from './octets.ts';

/** What a person asks of counters: to be shown them, or to have them changed. */
export type CounterOperation = { readonly kind: 'get' } | Adjustment;

/** Whose counters: those on which a request with this one descriptor would count. */
export interface CounterQuery {
  readonly domain: Octets;
  readonly descriptor: Descriptor;
}

/** The counters of a descriptor, as they are shown. */
export interface CounterReport {
  readonly kind: 'report';
  readonly domain: Octets;
  /** In place of a value that must not be seen stands its hash. */
  readonly entries: readonly Entry[];
  /** Why there are counters, or none: a rule, the limit that was named, or that nothing is counted. */
  readonly found: 'rule' | 'override' | 'unlimited' | 'unmatched' | 'exempt' | 'replaced';
  /** Path of the rule; undefined where there is none. */
  readonly rule: string | undefined;
  /** One for each limit, in order. */
  readonly counters: readonly CounterReading[];
}

/** The counter of one limit. */
export interface CounterReading {
  /** For people: `20 per day`. */
  readonly limit: string;
  /** In the store; where a window slides, it has two keys that begin so. */
  readonly key: string;
  readonly state: CounterLevel | CounterFault;
}

/** How a counter stands. */
export interface CounterLevel {
  /** Before a change; the same as `used` where nothing was to be changed. */
  readonly before: number;
  /** Below 0 where more was granted than used. */
  readonly used: number;
  /** 0 to 2^32-1. */
  readonly remaining: number;
  /** Whole seconds, rounded up; 0 where there is nothing that could reset. */
  readonly secondsUntilReset: number;
}

/** Why a counter could not be read or changed. After a `timeout` it may have been changed. */
export interface CounterFault {
  /** A `StoreErrorKind`. */
  readonly fault: string;
  readonly message: string;
}

export function isFault(state: CounterLevel | CounterFault): state is CounterFault {
  return 'fault' in state;
}

/** That somebody changed counters, for the log. */
export interface CounterChange {
  /** Remote address. */
  readonly peer: string | undefined;
  /** Whom the client's certificate names, where one was asked for. */
  readonly client: string | undefined;
  readonly adjustment: Adjustment;
  readonly report: CounterReport;
}
