export interface SamplerOptions {
  /** At most one line for each subject in this time, in ms. */
  readonly intervalMs: number;
  /** Subjects that are told apart; also the largest number of lines in the interval. */
  readonly maxSubjects: number;
}

/** Fields of a line that is written. */
export interface SampledLine {
  /** Lines about this subject that were left out since its last one. */
  readonly suppressed: number;
  /** Lines about subjects that were not told apart, left out since this was last said. */
  readonly suppressedOthers: number;
}

interface Subject {
  /** When a line was last written, by the caller's clock, in ms. */
  writtenAt: number;
  suppressed: number;
}

/** Decides which lines are written, so that a flood of events becomes a few lines with numbers. Bounded in all it keeps. */
export class Sampler {
  readonly #intervalMs: number;
  readonly #maxSubjects: number;
  /** In the order of their last lines, so that the first is the one that may be forgotten. */
  readonly #subjects = new Map<string, Subject>();
  #suppressedOthers = 0;

  constructor({ intervalMs, maxSubjects }: SamplerOptions) {
    this.#intervalMs = intervalMs;
    this.#maxSubjects = maxSubjects;
  }

  /** What to say in the line about this subject; undefined when it is left out. `now` never steps back, in ms. */
  take(subject: string, now: number): SampledLine | undefined {
    const known = this.#subjects.get(subject);
    if (known !== undefined && now - known.writtenAt < this.#intervalMs) {
      known.suppressed += 1;
      return undefined;
    }
    if (known === undefined && !this.#makeRoom(now)) {
      this.#suppressedOthers += 1;
      return undefined;
    }
    this.#subjects.delete(subject);
    this.#subjects.set(subject, { writtenAt: now, suppressed: 0 });
    const line = { suppressed: known?.suppressed ?? 0, suppressedOthers: this.#suppressedOthers };
    this.#suppressedOthers = 0;
    return line;
  }

  #makeRoom(now: number): boolean {
    if (this.#subjects.size < this.#maxSubjects) return true;
    for (const [name, oldest] of this.#subjects) {
      if (now - oldest.writtenAt < this.#intervalMs) return false;
      this.#suppressedOthers += oldest.suppressed;
      this.#subjects.delete(name);
      return true;
    }
    return false;
  }
}
