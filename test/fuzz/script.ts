/** What can happen to a session. Each has a number with it. */
export const steps = Object.freeze({
  /** The next so many octets come, in one chunk. */
  FEED: 0,
  /** So many ms pass. */
  WAIT: 1,
  /** What must not take too long is looked at. */
  TICK: 2,
  /** What waits in the loop goes on. */
  TURN: 3,
  /** One of the calls that wait for an answer gets it. */
  ANSWER: 4,
  DRAIN: 5,
  LAST_CALLS: 6,
  /** The server stops. */
  STOP: 7,
  /** 1: the socket takes nothing more; 0: again it does. */
  CONGEST: 8,
  /** The socket has ended. */
  END: 9,
  /** All calls that wait for an answer get it. */
  ANSWER_ALL: 10,
} as const);

export type Step = (typeof steps)[keyof typeof steps];

const usualSize = 1 << 20;
const mostKept = 1 << 22;

const names = Object.keys(steps) as (keyof typeof steps)[];

/**
 * All that happens to one session, in order. It is kept in two flat lists that are used again for each connection, as
 * millions are made; on a failure it becomes a file.
 */
export class Script {
  /** Of the answers and what else is not in the steps. */
  seed = 0;
  /** Which of the limits hold. */
  profile = 0;
  octets: Buffer = Buffer.allocUnsafeSlow(usualSize);
  /** Octets that are used. */
  length = 0;
  /** A step and its number, again and again. */
  readonly steps: number[] = [];

  clear(seed: number, profile: number): void {
    this.seed = seed;
    this.profile = profile;
    this.length = 0;
    this.steps.length = 0;
    // What one connection needed is not kept for all that follow.
    if (this.octets.length > mostKept) this.octets = Buffer.allocUnsafeSlow(usualSize);
  }

  add(step: Step, argument = 0): void {
    this.steps.push(step, argument);
  }

  /** Makes room for so many octets. */
  reserve(count: number): void {
    if (this.length + count <= this.octets.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.length + count));
    this.octets.copy(grown, 0, 0, this.length);
    this.octets = grown;
  }

  copy(from: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    from.copy(this.octets, this.length, start, end);
    this.length += end - start;
  }

  /** With a note for whoever reads the file. */
  toJson(note: string): string {
    const lines: string[] = [];
    let at = 0;
    for (let i = 0; i < this.steps.length; i += 2) {
      const [step, argument] = [this.steps[i] as number, this.steps[i + 1] as number];
      const isFeed = step === steps.FEED;
      const shown = isFeed ? this.octets.toString('hex', at, at + argument) : argument;
      if (isFeed) at += argument;
      lines.push(`    ${JSON.stringify([names[step], shown])}`);
    }
    const head = JSON.stringify({ note, seed: this.seed, profile: this.profile }, undefined, 2).slice(0, -2);
    return `${head},\n  "steps": [\n${lines.join(',\n')}\n  ]\n}\n`;
  }

  static fromJson(text: string): Script {
    const script = new Script();
    const read = JSON.parse(text) as {
      seed: number;
      profile: number;
      steps: [keyof typeof steps, unknown][];
    };
    script.clear(read.seed, read.profile);
    for (const [name, argument] of read.steps) {
      const octets = typeof argument === 'string' ? Buffer.from(argument, 'hex') : undefined;
      if (octets !== undefined) script.copy(octets, 0, octets.length);
      script.add(steps[name], octets?.length ?? Number(argument));
    }
    return script;
  }
}
