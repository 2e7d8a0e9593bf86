import { describe, expect, it } from 'vitest';
import { settings } from '../../../test/support/http2-frames.ts';
import { echo, reply, TestSession, wholeCall } from '../../../test/support/http2-session.ts';

const maxInt31 = 2 ** 31 - 1;

describe('SETTINGS of a client', () => {
  it.each([
    ['none', []],
    ['ENABLE_PUSH 0', [[2, 0]]],
    ['ENABLE_PUSH 1', [[2, 1]]],
    ['MAX_CONCURRENT_STREAMS 0, which says nothing of its own streams', [[3, 0]]],
    ['INITIAL_WINDOW_SIZE 2^31-1', [[4, maxInt31]]],
    ['MAX_FRAME_SIZE 16384', [[5, 16_384]]],
    ['MAX_FRAME_SIZE 2^24-1', [[5, 2 ** 24 - 1]]],
    ['MAX_HEADER_LIST_SIZE 0', [[6, 0]]],
    ['HEADER_TABLE_SIZE 2^32-1', [[1, 2 ** 32 - 1]]],
    ['an unknown identifier, as of the C core', [[0xfe03, 1]]],
    ['identifier 0', [[0, 2 ** 32 - 1]]],
    ['32 entries', Array.from({ length: 32 }, () => [3, 100])],
  ] as [string, [number, number][]][])('%s: acknowledged, and calls are answered', (_, entries) => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(settings(...entries))).toEqual(['SETTINGS ack']);
    session.feed(wholeCall(1, 'x'));
    expect(session.response(1).messages).toEqual(['x']);
    expect(session.faults).toEqual([]);
  });

  it.each([
    ['ENABLE_PUSH 2', [[2, 2]], 'PROTOCOL_ERROR protocol'],
    ['INITIAL_WINDOW_SIZE 2^31', [[4, 2 ** 31]], 'FLOW_CONTROL_ERROR flow-control'],
    ['MAX_FRAME_SIZE 16383', [[5, 16_383]], 'PROTOCOL_ERROR protocol'],
    ['MAX_FRAME_SIZE 2^24', [[5, 2 ** 24]], 'PROTOCOL_ERROR protocol'],
    ['33 entries', Array.from({ length: 33 }, () => [3, 100]), 'ENHANCE_YOUR_CALM settings'],
    [
      'a bad entry behind good ones',
      [
        [3, 1],
        [4, 70_000],
        [2, 7],
      ],
      'PROTOCOL_ERROR protocol',
    ],
  ] as [string, [number, number][], string][])('%s: a connection error', (_, entries, error) => {
    const session = new TestSession();
    expect(session.feed(settings(...entries))).toEqual([`GOAWAY 0 ${error}`]);
    expect(session.faults).toEqual([error.split(' ')[1]]);
  });

  it('each is acknowledged, once', () => {
    const session = new TestSession();
    expect(session.feed(settings(), settings([4, 1]), settings())).toEqual(Array(3).fill('SETTINGS ack'));
  });

  it('of two entries for the same the last holds', () => {
    const session = new TestSession({
      answer: echo,
      settings: [
        [4, 100_000],
        [4, 7],
      ],
    });
    expect(session.feed(wholeCall(1, 'abc'))).toEqual([
      'HEADERS 1 :status=200 content-type=application/grpc',
      'DATA 1 7 octets',
    ]);
  });
});

describe('MAX_FRAME_SIZE of a client', () => {
  const answer = (size: number) => ({
    answer: (call: Parameters<typeof reply>[0]) => reply(call, 'x'.repeat(size - 5)),
  });
  const dataOf = (words: string[]) => words.filter((line) => line.startsWith('DATA'));

  it('an answer as large is one frame, and a larger one is cut', () => {
    expect(dataOf(new TestSession(answer(16_384)).feed(wholeCall(1)))).toEqual(['DATA 1 16384 octets']);
    expect(dataOf(new TestSession(answer(16_385)).feed(wholeCall(1)))).toEqual([
      'DATA 1 16384 octets',
      'DATA 1 1 octets',
    ]);
  });

  it('a larger one than the least is used', () => {
    const session = new TestSession({ ...answer(40_000), settings: [[5, 39_999]] });
    expect(dataOf(session.feed(wholeCall(1)))).toEqual(['DATA 1 39999 octets', 'DATA 1 1 octets']);
    session.feed(settings([5, 40_000], [4, 100_000]));
    expect(session.response(1).messages[0]).toHaveLength(39_995);
  });
});
