import { describe, expect, it } from 'vitest';
import { flags, frame, goaway, ping, reset, windowUpdate } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  reply,
  TestSession,
  type TestSessionOptions,
  wholeCall,
} from '../../../test/support/http2-session.ts';

const announced = ['GOAWAY 2147483647 NO_ERROR', 'PING weirdrai'];
const drainAck = ping('weirdrai', flags.ACK);

/** A session that is asked to end, with stream 1 open. */
function draining(options?: TestSessionOptions): TestSession {
  const session = new TestSession(options);
  session.feed(headers(1));
  session.session.drain();
  expect(session.written()).toEqual(announced);
  return session;
}

/** The same after its second GOAWAY. */
function lastCalls(options?: TestSessionOptions): TestSession {
  const session = draining(options);
  expect(session.feed(drainAck)).toEqual(['GOAWAY 1 NO_ERROR']);
  return session;
}

describe('the first GOAWAY', () => {
  it('is said once, with a PING', () => {
    const session = draining();
    session.session.drain();
    expect(session.written()).toEqual([]);
    expect(session.session.state).toBe('draining');
  });

  it('comes after SETTINGS, also for a client that has not said anything yet', () => {
    const session = new TestSession({ greet: false });
    session.session.drain();
    const [first, ...others] = session.written();
    expect(first).toMatch(/^SETTINGS/);
    expect(others.slice(-2)).toEqual(announced);
  });

  it('calls that are on their way are taken', () => {
    const session = draining({ answer: echo });
    session.feed(wholeCall(3, 'on its way'), message(1, 'begun', true));
    expect([3, 1].map((id) => session.response(id).messages)).toEqual([['on its way'], ['begun']]);
  });

  it.each([
    ['another PING', ping('weirdrai')],
    ['the ack of another PING', ping('87654321', flags.ACK)],
    ['a GOAWAY of the client', goaway()],
  ])('is not followed by the second for %s', (_, octets) => {
    const session = draining();
    session.feed(octets);
    expect(session.session.state).toBe('draining');
  });
});

describe('the second GOAWAY', () => {
  it('comes when the PING is back, with the highest stream that was taken', () => {
    const session = draining();
    session.feed(wholeCall(7));
    expect(session.feed(drainAck)).toEqual(['GOAWAY 7 NO_ERROR']);
    expect(session.session.state).toBe('last-calls');
    expect(session.feed(drainAck)).toEqual([]);
  });

  it('comes without it, when it takes too long', () => {
    const session = draining();
    session.session.lastCalls();
    expect(session.written()).toEqual(['GOAWAY 1 NO_ERROR']);
    expect(session.feed(drainAck)).toEqual([]);
  });

  it('does not come before the first', () => {
    const session = new TestSession();
    session.session.lastCalls();
    expect(session.written()).toEqual([]);
    expect(session.session.state).toBe('open');
  });

  it('calls that are open are finished', () => {
    const session = lastCalls({ answer: echo });
    session.feed(message(1, 'the last', true));
    expect(session.response(1).messages).toEqual(['the last']);
    expect(session.session.streams.size).toBe(0);
  });

  it('answers that were asked for before it are given', () => {
    const session = new TestSession();
    session.feed(wholeCall(1));
    session.session.drain();
    session.session.lastCalls();
    reply(session.lastCall.call, 'slow');
    session.written();
    expect(session.response(1)).toMatchObject({ messages: ['slow'], hasEnded: true });
  });
});

describe('streams above the last', () => {
  it.each<[string, Buffer[]]>([
    ['HEADERS', [headers(3)]],
    ['a whole call', [wholeCall(3)]],
    ['DATA in pieces', [headers(3), data(3, Buffer.of(0)), data(3, Buffer.alloc(0), true)]],
    ['trailers', [headers(3), message(3, 'x'), headers(3, { fields: [['x-sum', '1']], endStream: true })]],
    ['RST_STREAM', [headers(3), reset(3)]],
    ['WINDOW_UPDATE', [headers(3), windowUpdate(3, 5)]],
    ['a malformed request', [headers(3, { fields: [] })]],
    ['several', [wholeCall(3), wholeCall(5), reset(3), wholeCall(9)]],
  ])('are ignored: %s', (_, octets) => {
    const session = lastCalls({ answer: echo });
    expect(session.feed(...octets)).toEqual([]);
    expect(session.calls).toEqual([]);
    expect(session.faults).toEqual([]);
    session.feed(message(1, 'the last', true));
    expect(session.response(1).messages).toEqual(['the last']);
  });

  it('are decoded for the table', () => {
    const session = lastCalls({ answer: echo });
    const adds = Buffer.from([0x40, 1, 0x61, 1, 0x62]);
    session.feed(frame('HEADERS', flags.END_HEADERS, 3, adds), message(1, 'x'));
    session.feed(frame('HEADERS', flags.END_HEADERS | flags.END_STREAM, 1, Buffer.of(0xbe)));
    expect(session.faults).toEqual([]);
    const bad = frame('HEADERS', flags.END_HEADERS, 5, Buffer.of(0xbf));
    expect(session.feed(bad)).toEqual(['GOAWAY 1 COMPRESSION_ERROR compression']);
  });

  it('their DATA counts for the window of the connection, which is given back', () => {
    const session = lastCalls();
    const octets = Buffer.alloc(16_384);
    session.feed(headers(3));
    let returned = 0;
    for (let sent = 0; sent < 3 * 5_242_880; sent += octets.length) {
      for (const line of session.feed(data(3, octets))) {
        returned += Number(/^WINDOW_UPDATE 0 \+(\d+)$/.exec(line)?.[1]);
      }
    }
    expect(session.faults).toEqual([]);
    expect(returned).toBeGreaterThan(2 * 5_242_880);
  });

  it('a later error does not name them as taken', () => {
    const session = lastCalls();
    session.feed(wholeCall(3));
    expect(session.feed(headers(0))).toEqual(['GOAWAY 1 PROTOCOL_ERROR protocol']);
  });
});
