import type { FailureCode } from '../../domain/decision.ts';
import type { DecisionEvent, DescriptorOutcome, LimitSource } from '../../limiter/decision-event.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { BusiestSecond } from './busiest-second.ts';
import { MostFrequent } from './most-frequent.ts';
import { RuleFigures } from './rule-figures.ts';
import { type Subject, subjectKey, subjectOf } from './subject.ts';
import { Timeline } from './timeline.ts';

/** Denied descriptors that are counted exactly; above, the most frequent ones are found with a known uncertainty. */
export const exactSubjects = 10_000;

/** What decisions add up to while a log is replayed. Bounded: by the number of rules, and by {@link exactSubjects}. */
export class DecisionFigures {
  readonly timeline = new Timeline();
  readonly allowedOverTime = this.timeline.addSeries();
  readonly deniedOverTime = this.timeline.addSeries();
  readonly busiest = new BusiestSecond();
  readonly mostDenied = new MostFrequent<Subject>(exactSubjects);
  readonly sources: Record<LimitSource, number> = {
    rule: 0,
    override: 0,
    unlimited: 0,
    replaced: 0,
    exempt: 0,
    unmatched: 0,
  };
  readonly failures = new Map<FailureCode, number>();
  allowed = 0;
  denied = 0;
  failed = 0;
  /** Descriptors of domains that are not configured; among those that are `unmatched`. */
  unknownDomain = 0;
  readonly #clock: VirtualClock;
  /** By the rule's id; only those that limited something. */
  readonly #rules: (RuleFigures | undefined)[] = [];
  #overrides: RuleFigures | undefined;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Adds one request; a listener of the limiter. */
  add(event: DecisionEvent): void {
    const { answer } = event;
    const timeMs = this.#clock.now();
    const bucket = this.timeline.bucketAt(timeMs);
    this.busiest.add(timeMs, 1);
    if (answer.kind === 'failure') {
      this.failed += 1;
      this.failures.set(answer.code, (this.failures.get(answer.code) ?? 0) + 1);
      return;
    }
    const isDenied = answer.overallCode === 'OVER_LIMIT';
    const series = isDenied ? this.deniedOverTime : this.allowedOverTime;
    series[bucket] = (series[bucket] as number) + 1;
    if (isDenied) this.denied += 1;
    else this.allowed += 1;
    for (const outcome of event.outcomes) {
      this.sources[outcome.source] += 1;
      if (outcome.source === 'unmatched') this.unknownDomain += event.domainKnown ? 0 : 1;
      const limit = this.#limitOf(outcome);
      if (limit === undefined) continue;
      limit.add(outcome, isDenied, timeMs, bucket);
      if (isDenied && outcome.status.code === 'OVER_LIMIT') {
        this.mostDenied.add(subjectKey(event, outcome), () => subjectOf(event, outcome));
      }
    }
  }

  /** What a rule did; undefined when it limited nothing. */
  ofRule(id: number): RuleFigures | undefined {
    return this.#rules[id];
  }

  /** What limits did that requests brought themselves; undefined when there was none. */
  get overrides(): RuleFigures | undefined {
    return this.#overrides;
  }

  #limitOf({ source, rule }: DescriptorOutcome): RuleFigures | undefined {
    if (source === 'override') {
      this.#overrides ??= new RuleFigures(this.timeline);
      return this.#overrides;
    }
    if (source !== 'rule' || rule === undefined) return undefined;
    let figures = this.#rules[rule.id];
    if (figures === undefined) {
      figures = new RuleFigures(this.timeline);
      this.#rules[rule.id] = figures;
    }
    return figures;
  }
}
