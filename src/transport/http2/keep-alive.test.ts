import { describe, expect, it } from 'vitest';
import { ping } from '../../../test/support/http2-frames.ts';
import { data, headers, reply, TestSession, wholeCall } from '../../../test/support/http2-session.ts';

describe('keep-alive', () => {
  it.each<[string, (session: TestSession) => void]>([
    ['HEADERS', (session) => session.feed(headers(7))],
    ['DATA of a client', (session) => session.feed(data(1, Buffer.of(0)))],
    ['DATA of an answer', (session) => reply(session.lastCall.call, 'x')],
  ])('every second is fine with %s between', (_, between) => {
    const session = new TestSession();
    session.feed(headers(1), wholeCall(5));
    for (let round = 0; round < 3; round++) {
      session.now += 1_000;
      session.feed(ping());
    }
    between(session);
    for (let round = 0; round < 3; round++) {
      session.now += 1_000;
      session.feed(ping());
    }
    expect(session.session.state).toBe('open');
    session.now += 1_000;
    session.feed(ping());
    expect(session.faults).toEqual(['idle-pings']);
  });

  it('every five seconds is fine for ever', () => {
    const session = new TestSession();
    for (let round = 0; round < 1_000; round++) {
      session.now += 5_000;
      expect(session.feed(ping())).toEqual(['PING ack 12345678']);
    }
    expect(session.session.state).toBe('open');
  });
});
