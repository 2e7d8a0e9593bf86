import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settings, windowUpdate } from '../../../test/support/http2-frames.ts';
import { reply, TestSession, wholeCall } from '../../../test/support/http2-session.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('call' as const), octets: fc.nat(300) }),
  fc.record({ kind: fc.constant('stream' as const), index: fc.nat(3), by: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ kind: fc.constant('streams' as const), size: fc.nat(250) }),
  fc.record({ kind: fc.constant('connection' as const), by: fc.integer({ min: 1, max: 300 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the windows allow, counted as plainly as RFC 9113, section 6.9 says it. */
class Client {
  readonly session: TestSession;
  readonly asked: { readonly id: number; readonly text: string; window: number }[] = [];
  #connection = 65_535;
  #initial: number;

  constructor(initial: number) {
    this.#initial = initial;
    this.session = new TestSession({
      settings: [[4, initial]],
      answer: (call, message) => reply(call, textOf(Number(message))),
    });
    // All but 100 octets of the connection's window are used by a first call.
    this.#do(wholeCall(1, '65430'), settings([4, 65_535]), settings([4, initial]));
  }

  take(step: Step): void {
    this.#do(...this.#octetsOf(step));
  }

  #octetsOf(step: Step): Buffer[] {
    switch (step.kind) {
      case 'call': {
        const id = 2 * this.asked.length + 3;
        this.asked.push({ id, text: textOf(step.octets), window: this.#initial });
        return [wholeCall(id, String(step.octets))];
      }
      case 'stream': {
        const call = this.asked[step.index];
        if (call === undefined) return [];
        call.window += step.by;
        return [windowUpdate(call.id, step.by)];
      }
      case 'streams':
        for (const call of this.asked) call.window += step.size - this.#initial;
        this.#initial = step.size;
        return [settings([4, step.size])];
      case 'connection':
        this.#connection += step.by;
        return [windowUpdate(0, step.by)];
    }
  }

  #do(...octets: readonly Buffer[]): void {
    for (const line of this.session.feed(...octets)) {
      const [, id, length] = /^DATA (\d+) (\d+) octets/.exec(line) ?? [];
      if (length === undefined) continue;
      this.#connection -= Number(length);
      expect(this.#connection).toBeGreaterThanOrEqual(0);
      const call = this.asked.find((each) => String(each.id) === id);
      if (call === undefined) continue;
      call.window -= Number(length);
      expect(call.window, `of stream ${id}`).toBeGreaterThanOrEqual(0);
    }
  }
}

function textOf(octets: number): string {
  return 'abcdefghijklmnopq'.repeat(Math.ceil(octets / 17)).slice(0, octets);
}

it('no window is ever overrun, and all octets come when there is room', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(100), (steps, initial) => {
      const client = new Client(initial);
      for (const each of steps) client.take(each);
      client.take({ kind: 'connection', by: 100_000 });
      client.take({ kind: 'streams', size: 10_000 });
      const answers = client.asked.map(({ id }) => client.session.response(id));
      expect(answers.map(({ messages }) => messages)).toEqual(client.asked.map(({ text }) => [text]));
      expect(answers.every(({ hasEnded, last }) => hasEnded && last['grpc-status'] === '0')).toBe(true);
      expect(client.session.session.outbound.heldBytes).toBe(0);
      expect(client.session.session.streams.places).toBe(0);
    }),
    { numRuns: 500 },
  );
});
