import { anonymous, type Caller } from '../../src/domain/caller.ts';
import type { CounterOperation, CounterReport } from '../../src/domain/counter-report.ts';
import type { Decision, Failure } from '../../src/domain/decision.ts';
import type { Descriptor } from '../../src/domain/descriptor.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import { createCounterAdministration } from '../../src/limiter/counter-administration.ts';
import type { DecisionEvent } from '../../src/limiter/decision-event.ts';
import { createLimiter, type LimiterOptions } from '../../src/limiter/limiter.ts';
import { type CompileOptions, compileRules } from '../../src/rules/compile.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import type { SensitiveOptions } from '../../src/rules/sensitive.ts';
import type { CounterStore } from '../../src/store/counter-store.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { descriptor, request } from './requests.ts';

/** The rules of some YAML files; fails on any that is refused. */
export function rulesOf(...files: string[]): RuleSet {
  return rulesWith({}, ...files);
}

function rulesWith(options: Pick<CompileOptions, 'sensitive'>, ...files: string[]): RuleSet {
  const parsed = files.map((text, index) => parseRules(`${index}.yaml`, Buffer.from(text)));
  const documents = parsed.flatMap(({ document }) => document ?? []);
  const { ruleSet, issues } = compileRules(documents, {
    mergeDomains: false,
    keyPrefix: '',
    version: 'test',
    ...options,
  });
  const refused = [...parsed.flatMap((one) => one.issues), ...issues].filter(
    ({ severity }) => severity === 'error',
  );
  if (ruleSet === undefined || refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`);
  return ruleSet;
}

/** For what never loses its store. */
const noLocalStore: CounterStore = {
  hit: () => Promise.reject(new Error('nothing is counted locally here')),
  hitUnlessDenied: () => Promise.reject(new Error('nothing is counted locally here')),
  ready: Promise.resolve(),
  isConnected: () => true,
  close: () => Promise.resolve(),
};

export const defaultLimiterOptions = {
  listeners: [],
  bounds: { maxDescriptors: 1024, maxEntries: 64 },
  storeTimeoutMs: 250,
  countDenied: true,
  shadowMode: false,
  quotaMode: false,
  nearLimitRatio: 0.8,
  denyCache: undefined,
  responseHeaders: undefined,
  limitFields: false,
  warningHeader: 'X-RateLimit-Warning',
  dynamicMetadata: false,
  denialBody: undefined,
  failurePolicy: 'error',
  localShare: 1,
  localStore: noLocalStore,
} satisfies Partial<LimiterOptions>;

export interface FixtureOptions extends Omit<Partial<LimiterOptions>, 'clock'> {
  readonly yaml: string;
  /** The domain of the requests; `shop` unless given. */
  readonly domain?: string;
  /** Without it there is no key for sensitive rules, and they are refused. */
  readonly sensitive?: SensitiveOptions;
  readonly time?: string;
  /** Who asks; nobody who is known unless given. */
  readonly caller?: Caller;
  readonly clock?: FakeClock;
}

/** A limiter on the memory store with a clock that stands still, spoken to in the notation of the cases. */
export function limiterFixture({
  yaml,
  domain = 'shop',
  time,
  sensitive,
  caller = anonymous,
  ...options
}: FixtureOptions) {
  const clock = options.clock ?? fakeClock(time);
  const events: DecisionEvent[] = [];
  const compileOptions = sensitive === undefined ? {} : { sensitive };
  let rules = rulesWith(compileOptions, yaml);
  const store = createMemoryStore({ clock, maxCounters: 100_000 });
  const limiter = createLimiter({
    ...defaultLimiterOptions,
    localStore: createMemoryStore({ clock, maxCounters: 100_000 }),
    rules: () => rules,
    store,
    clock,
    ...options,
    listeners: [(event) => events.push(event), ...(options.listeners ?? [])],
  });

  const administer = createCounterAdministration({
    ...{ rules: () => rules, store, clock, bounds: defaultLimiterOptions.bounds },
    onChange: limiter.counterChanged,
  });

  async function ask(descriptors: readonly (string | Descriptor)[], hits = 0, deadline?: number) {
    const all = descriptors.map((one) => (typeof one === 'string' ? descriptor(one) : one));
    return limiter.decide(request(domain, all, hits), deadline, caller);
  }

  return {
    clock,
    events,
    limiter,
    ask,
    /** Shows the counters of a descriptor, or changes them; those of the fixture's own store. */
    async administer(one: string | Descriptor, operation: CounterOperation): Promise<CounterReport> {
      const asked = typeof one === 'string' ? descriptor(one) : one;
      const report = await administer({ domain: octetsOf(domain), descriptor: asked }, operation);
      if (report.kind === 'failure') throw new Error(`${report.code}: ${report.message}`);
      return report;
    },
    /** The decision; fails when there is none. */
    async decide(...descriptors: (string | Descriptor)[]): Promise<Decision> {
      return decisionOf(await ask(descriptors));
    },
    /** The same with the request's hits_addend. */
    async decideHits(hits: number, ...descriptors: (string | Descriptor)[]): Promise<Decision> {
      return decisionOf(await ask(descriptors, hits));
    },
    /** The overall codes of so many equal calls: `OK OK OVER`. */
    async codes(times: number, ...descriptors: (string | Descriptor)[]): Promise<string> {
      const codes: string[] = [];
      for (let i = 0; i < times; i++) codes.push(decisionOf(await ask(descriptors)).overallCode);
      return codes.map((code) => (code === 'OK' ? 'OK' : 'OVER')).join(' ');
    },
    reload(text: string) {
      rules = rulesWith(compileOptions, text);
      limiter.rulesChanged();
    },
  };
}

function decisionOf(answer: Decision | Failure): Decision {
  if (answer.kind === 'failure') throw new Error(`${answer.code}: ${answer.message}`);
  return answer;
}

/** One line for each status: `OK 3/5 30s`, `OVER 0/5 30s`, `OK` without a limit. */
export function printStatuses({ statuses }: Decision): string[] {
  return statuses.map(({ code, currentLimit, limitRemaining, secondsUntilReset }) => {
    const word = code === 'OK' ? 'OK' : 'OVER';
    if (currentLimit === undefined) return limitRemaining > 0 ? `${word} unlimited` : word;
    return `${word} ${limitRemaining}/${currentLimit.requestsPerUnit} ${secondsUntilReset}s`;
  });
}
