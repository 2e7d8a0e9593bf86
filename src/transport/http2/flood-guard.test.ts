import { describe, expect, it } from 'vitest';
import {
  flags,
  frame,
  ping,
  reset,
  settings,
  settingsAck,
  windowUpdate,
} from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  TestSession,
  type TestSessionOptions,
  wholeCall,
} from '../../../test/support/http2-session.ts';

const none = Buffer.alloc(0);
const priority = (id: number) => frame('PRIORITY', 0, id, Buffer.from([0, 0, 0, 0, 1]));
const malformed = (id: number) => headers(id, { more: [['connection', 'close']] });
const idOf = (index: number) => 2 * index + 1;

interface Flood extends TestSessionOptions {
  readonly name: string;
  readonly fault: string;
  /** In GOAWAY. */
  readonly debug?: string;
  /** So many are let pass. */
  readonly allowed: number;
  readonly before?: Buffer;
  /** What is sent again and again. */
  readonly octets: (index: number) => Buffer;
}

/** PING frames at once are keep-alive that is too eager; this is about the flood. */
const unhurried = { minPingIntervalMs: 0 };

const floods: readonly Flood[] = [
  {
    name: 'calls that are cancelled at once (CVE-2023-44487)',
    fault: 'rapid-reset',
    allowed: 1_000,
    octets: (index) => Buffer.concat([headers(idOf(index)), reset(idOf(index))]),
  },
  {
    name: 'requests that are malformed (CVE-2025-8671)',
    fault: 'stream-errors',
    allowed: 100,
    octets: (index) => malformed(idOf(index)),
  },
  {
    name: 'WINDOW_UPDATE of 0 on streams (CVE-2025-8671)',
    fault: 'stream-errors',
    allowed: 100,
    octets: (index) => Buffer.concat([wholeCall(idOf(index)), windowUpdate(idOf(index), 0)]),
  },
  {
    // The first came with the preface.
    name: 'SETTINGS (CVE-2019-9515)',
    fault: 'settings',
    allowed: 99,
    octets: () => settings(),
  },
  {
    name: 'PING (CVE-2019-9512)',
    fault: 'pings',
    limits: unhurried,
    allowed: 500,
    octets: () => ping(),
  },
  {
    name: 'PING, besides one for each call',
    fault: 'pings',
    limits: unhurried,
    allowed: 520,
    before: Buffer.concat(Array.from({ length: 20 }, (_, index) => headers(idOf(index)))),
    octets: () => ping(),
  },
  {
    name: 'PING without a call between, closer than 5 s',
    fault: 'idle-pings',
    debug: 'too_many_pings',
    allowed: 3,
    octets: () => ping(),
  },
  {
    name: 'empty DATA in a row (CVE-2019-9518)',
    fault: 'empty-frames',
    allowed: 10,
    before: headers(1),
    octets: () => data(1, none),
  },
  {
    name: 'DATA with nothing but padding, in a row',
    fault: 'empty-frames',
    allowed: 10,
    before: headers(1),
    octets: () => frame('DATA', flags.PADDED, 1, Buffer.of(3, 0, 0, 0)),
  },
  {
    name: 'empty DATA of a stream that was closed',
    fault: 'empty-frames',
    allowed: 10,
    before: malformed(1),
    octets: () => data(1, none),
  },
  {
    name: 'empty DATA in a minute',
    fault: 'empty-frames',
    allowed: 100,
    before: headers(1),
    octets: () => Buffer.concat([data(1, Buffer.of(0)), data(1, none)]),
  },
  {
    name: 'HEADERS without a block',
    fault: 'empty-frames',
    allowed: 10,
    octets: (index) =>
      Buffer.concat([
        frame('HEADERS', 0, idOf(index)),
        frame('CONTINUATION', flags.END_HEADERS, idOf(index), headers(1).subarray(9)),
      ]),
  },
  {
    name: 'PRIORITY (CVE-2019-9513)',
    fault: 'priorities',
    allowed: 100,
    octets: () => priority(7),
  },
  {
    name: 'PRIORITY, besides a hundred for each stream',
    fault: 'priorities',
    allowed: 400,
    before: Buffer.concat([headers(1), headers(3), headers(5)]),
    octets: () => priority(7),
  },
  {
    name: 'WINDOW_UPDATE',
    fault: 'window-updates',
    allowed: 1_000,
    octets: () => windowUpdate(0, 1),
  },
  {
    name: 'WINDOW_UPDATE of a stream that was closed, besides ten for it',
    fault: 'window-updates',
    allowed: 1_010,
    before: malformed(1),
    octets: () => windowUpdate(1, 1),
  },
  {
    name: 'WINDOW_UPDATE, besides ten for each stream and ten for each DATA that was sent',
    fault: 'window-updates',
    allowed: 1_040,
    answer: echo,
    before: Buffer.concat([wholeCall(1), wholeCall(3)]),
    octets: () => windowUpdate(0, 1),
  },
];

describe('a flood ends the connection, and what is just less does not', () => {
  it.each(floods)('$name: $allowed', (flood) => {
    const session = new TestSession(flood);
    session.feed(flood.before ?? none);
    const ends = (words: string[]) => words.filter((line) => line.startsWith('GOAWAY'));
    for (let index = 0; index < flood.allowed; index++) {
      expect(ends(session.feed(flood.octets(index))), `the ${index + 1}th`).toEqual([]);
    }
    expect(session.session.state).toBe('open');
    const words = ends(session.feed(flood.octets(flood.allowed)));
    expect(words).toEqual([expect.stringContaining(`ENHANCE_YOUR_CALM ${flood.debug ?? flood.fault}`)]);
    expect(session.faults.at(-1)).toBe(flood.fault);
    expect(session.session.state).toBe('ended');
    expect(session.session.streams.size).toBe(0);
  });
});

describe('what is no flood', () => {
  it('a thousand calls that are cancelled at once, but not at once: a store is slow', () => {
    const session = new TestSession();
    const ids = Array.from({ length: 1_024 }, (_, index) => idOf(index));
    session.feed(...ids.map((id) => wholeCall(id)));
    session.now += 6;
    session.feed(...ids.map((id) => reset(id)));
    expect(session.session.state).toBe('open');
  });

  it('cancellations count up to 5 ms', () => {
    const session = new TestSession({ limits: { resetsPerSecond: 1 } });
    const cancel = (index: number, ms: number) => {
      session.feed(headers(idOf(index)));
      session.now += ms;
      session.feed(reset(idOf(index)));
    };
    for (let index = 0; index < 100; index++) cancel(index, 6);
    expect(session.session.state).toBe('open');
    for (let index = 100; index < 106; index++) cancel(index, 5);
    expect(session.faults).toEqual(['rapid-reset']);
  });

  it.each<[string, TestSessionOptions, (index: number) => Buffer]>([
    ['acks of SETTINGS', {}, () => settingsAck],
    ['acks of PING', {}, () => ping('87654321', flags.ACK)],
    ['frames of unknown types', {}, () => frame(99, 0, 0)],
    ['calls', { answer: echo }, (index) => wholeCall(idOf(index))],
    ['calls with a PING each', { answer: echo }, (index) => Buffer.concat([wholeCall(idOf(index)), ping()])],
    [
      'calls with two WINDOW_UPDATE each, as of the C core',
      { answer: echo },
      (index) =>
        Buffer.concat([
          headers(idOf(index)),
          windowUpdate(idOf(index), 5),
          windowUpdate(0, 5),
          message(idOf(index), 'x', true),
        ]),
    ],
    [
      'calls whose END_STREAM is on an empty DATA frame',
      { answer: echo },
      (index) =>
        Buffer.concat([headers(idOf(index)), message(idOf(index), 'x'), data(idOf(index), none, true)]),
    ],
    ['calls of unknown methods', {}, (index) => wholeCall(idOf(index), 'x', { path: '/no.such/Method' })],
    ['calls that are refused', { limits: { maxConcurrentStreams: 1 } }, (index) => wholeCall(idOf(index))],
    [
      'DATA of streams that have ended',
      { answer: echo },
      (index) => Buffer.concat([wholeCall(idOf(index)), data(idOf(index), Buffer.of(1))]),
    ],
  ])('%s, two thousand', async (_, options, octets) => {
    const session = new TestSession(options);
    for (let index = 0; index < 2_000; index++) session.feed(octets(index));
    await session.settled();
    expect(session.session.state).toBe('open');
    expect(session.frames.filter(({ type }) => type === 'GOAWAY')).toEqual([]);
  });
});

describe('allowances come back', () => {
  it.each<[string, Omit<Flood, 'name' | 'fault'> & { readonly ms: number; readonly later: number }]>([
    [
      '200 cancellations a second',
      {
        allowed: 1_000,
        ms: 1_000,
        later: 200,
        octets: (index) => Buffer.concat([headers(idOf(index)), reset(idOf(index))]),
      },
    ],
    [
      '10 stream errors a second',
      { allowed: 100, ms: 1_000, later: 10, octets: (index) => malformed(idOf(index)) },
    ],
    ['100 SETTINGS a minute', { allowed: 99, ms: 3_000, later: 5, octets: () => settings() }],
    ['500 PING a minute', { limits: unhurried, allowed: 500, ms: 3_000, later: 25, octets: () => ping() }],
  ])('%s', (_, { allowed, ms, later, octets, ...options }) => {
    const session = new TestSession(options);
    const send = (from: number, count: number) => {
      for (let index = from; index < from + count; index++) session.feed(octets(index));
    };
    send(0, allowed);
    session.now += ms;
    send(allowed, later);
    expect(session.session.state).toBe('open');
    send(allowed + later, 1);
    expect(session.session.state).toBe('ended');
  });

  it('but do not pile up while nothing happens', () => {
    const session = new TestSession();
    session.now += 3_600_000;
    for (let index = 0; index < 1_000; index++) session.feed(headers(idOf(index)), reset(idOf(index)));
    expect(session.session.state).toBe('open');
    session.feed(headers(2_001), reset(2_001));
    expect(session.faults).toEqual(['rapid-reset']);
  });
});
