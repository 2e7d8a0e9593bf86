import type { Answer } from '../../domain/decision.ts';
import type { DecisionEvent } from '../../limiter/decision-event.ts';
import { exactSubjects } from './decision-figures.ts';
import { MostFrequent } from './most-frequent.ts';
import { type Subject, subjectKey, subjectOf } from './subject.ts';

/** How the answers of two configurations to the same requests differ. Each request is decided by A, then by B. */
export class Changes {
  /** Requests that A allows and B denies. */
  newlyDenied = 0;
  /** Requests that A denies and B allows. */
  newlyAllowed = 0;
  /** Which descriptors B denies in those that A allows. */
  readonly mostNewlyDenied = new MostFrequent<Subject>(exactSubjects);
  #codeOfA: string | undefined;

  /** The answer of A; a listener of its limiter. */
  addA({ answer }: DecisionEvent): void {
    this.#codeOfA = codeOf(answer);
  }

  /** The answer of B to the same request; a listener of its limiter. */
  addB(event: DecisionEvent): void {
    const before = this.#codeOfA;
    const after = codeOf(event.answer);
    if (before === 'OVER_LIMIT' && after === 'OK') this.newlyAllowed += 1;
    if (before !== 'OK' || after !== 'OVER_LIMIT') return;
    this.newlyDenied += 1;
    for (const outcome of event.outcomes) {
      if (outcome.status.code !== 'OVER_LIMIT') continue;
      this.mostNewlyDenied.add(subjectKey(event, outcome), () => subjectOf(event, outcome));
    }
  }
}

/** undefined where there is no decision. */
function codeOf(answer: Answer): string | undefined {
  return answer.kind === 'decision' ? answer.overallCode : undefined;
}
