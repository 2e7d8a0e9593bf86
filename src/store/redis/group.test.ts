import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../domain/counting.ts';
import type { Hit } from '../../domain/hit.ts';
import type { StoreError } from '../store-error.ts';
import type { GroupContext } from './group.ts';
import { hitGroup } from './hit-group.ts';
import type { CompensationTask, GroupTask, Task, TaskSink } from './task.ts';

const counting = fixedWindow(3_600);
const nowMs = 1_000_000 * 3_600 * 1_000 + 5_000; // window 1,000,000 of an hour
const hit = (key: string, rest: Partial<Hit> = {}): Hit => {
  return { key, fingerprint: 0, counting, isPerSecond: false, cost: 1, limit: 10, denies: 'always', ...rest };
};
const state = (before: number, after: number) => ({ before, after, msUntilReset: 1_000 });
const error = (kind: StoreError['kind'], node = 'a'): StoreError => ({ kind, message: 'no', node });
const aDeadline = 77;

/** A place that keeps what it is given; its name is the first letter of the keys that it has. */
class Place implements TaskSink {
  readonly tasks: Task[] = [];
  add(task: Task): void {
    this.tasks.push(task);
  }
  get groups(): GroupTask[] {
    return this.tasks.filter((task) => task.kind === 'group');
  }
  get compensations(): CompensationTask[] {
    return this.tasks.filter((task) => task.kind === 'compensation');
  }
  /** Answers its last group. */
  answer(counted: boolean, ...states: (ReturnType<typeof state> | StoreError)[]): void {
    this.groups.at(-1)?.settle({ states, counted, nowMs, node: 'node' });
  }
}

function fixture() {
  const places: Record<string, Place> = { a: new Place(), b: new Place() };
  const unreachable = new Map<string, StoreError>();
  const lost: [string, number][] = [];
  const context: GroupContext = {
    route: ({ key }) => unreachable.get(key) ?? (places[key[0] as string] as Place),
    compensationDeadline: () => aDeadline,
    compensationLost: (node, hits) => lost.push([node, hits.length]),
  };
  const { a, b } = places as { a: Place; b: Place };
  return { a, b, unreachable, lost, send: (...hits: Hit[]) => hitGroup(hits, 50, context) };
}

describe('on one place', () => {
  it('is one step, and the place decides', async () => {
    const { a, send } = fixture();
    const result = send(hit('a1'), hit('a2', { denies: 'together' }));
    expect(a.tasks).toHaveLength(1);
    expect(a.groups[0]).toMatchObject({ deadline: 50, hits: [hit('a1'), hit('a2', { denies: 'together' })] });
    a.answer(false, state(10, 11), state(0, 1));
    expect(await result).toEqual({ states: [state(10, 11), state(0, 1)], counted: false });
    expect(a.compensations).toEqual([]);
  });
});

describe('on several places', () => {
  it('is counted when none denies; states stand in the order of the hits', async () => {
    const { a, b, send, lost } = fixture();
    const result = send(hit('a1'), hit('b1'), hit('a2'));
    b.answer(true, state(5, 6));
    a.answer(true, state(0, 1), state(2, 3));
    expect(await result).toEqual({ states: [state(0, 1), state(5, 6), state(2, 3)], counted: true });
    expect([...a.compensations, ...b.compensations, ...lost]).toEqual([]);
  });

  it('gives back what one place counted when another denies, in the window of that place', async () => {
    const { a, b, send, lost } = fixture();
    const result = send(hit('a1', { cost: 4 }), hit('a2', { cost: -2 }), hit('a3', { cost: 0 }), hit('b1'));
    a.answer(true, state(0, 4), state(5, 3), state(7, 7));
    b.answer(false, state(10, 11));
    expect(await result).toMatchObject({ counted: false });
    expect(a.compensations).toMatchObject([
      { key: 'a1', counting, cost: -4, window: 1_000_000, deadline: aDeadline },
      { key: 'a2', counting, cost: 2, window: 1_000_000 },
    ]);
    expect(b.compensations).toEqual([]);
    for (const task of a.compensations) task.settle();
    expect(lost).toEqual([]);
  });

  it.each([
    [
      'taken, then given back',
      [3, -3],
      [
        [0, 3],
        [3, 0],
      ],
      undefined,
    ],
    [
      'given back, then taken',
      [-3, 3],
      [
        [3, 0],
        [0, 3],
      ],
      undefined,
    ],
    [
      'given back to the floor, then taken',
      [-9, 4],
      [
        [3, 0],
        [0, 4],
      ],
      -1,
    ],
    [
      'taken twice, with a look between',
      [2, 0, 4],
      [
        [1, 3],
        [3, 3],
        [3, 7],
      ],
      -6,
    ],
    [
      'taken up to the greatest count, then given back',
      [5, -1],
      [
        [2 ** 32 - 2, 2 ** 32],
        [2 ** 32, 2 ** 32 - 1],
      ],
      -1,
    ],
  ] as const)('undoes all hits on one counter as one: %s', async (_, costs, counts, undone) => {
    const { a, b, send } = fixture();
    const result = send(...costs.map((cost) => hit('a1', { cost })), hit('b1'));
    a.answer(true, ...counts.map(([before, after]) => state(before, after)));
    b.answer(false, state(10, 11));
    await result;
    expect(a.compensations.map(({ cost }) => cost)).toEqual(undone === undefined ? [] : [undone]);
  });

  it('quotas on several places are counted first and judged together', async () => {
    const quota = { denies: 'together' } as const;
    for (const [after, counted] of [
      [10, true],
      [11, false],
    ] as const) {
      const { a, b, send } = fixture();
      const result = send(hit('a1', quota), hit('b1', quota));
      expect(a.groups[0]?.hits).toMatchObject([{ denies: 'never' }]);
      a.answer(true, state(10, 11));
      b.answer(true, state(after - 1, after));
      expect(await result).toMatchObject({ counted });
      expect(a.compensations).toHaveLength(counted ? 0 : 1);
    }
  });

  it('quotas on one place beside others are judged by the place', () => {
    const { a, b, send } = fixture();
    void send(hit('a1', { denies: 'together' }), hit('b1'));
    expect(a.groups[0]?.hits).toMatchObject([{ denies: 'together' }]);
    expect(b.groups[0]?.hits).toMatchObject([{ denies: 'always' }]);
  });

  it('a place that is not known denies nothing', async () => {
    const { a, unreachable, send } = fixture();
    unreachable.set('b1', error('connection', ''));
    const result = send(hit('a1'), hit('b1'));
    a.answer(true, state(0, 1));
    expect(await result).toEqual({ states: [state(0, 1), error('connection', '')], counted: true });
  });

  it('keys that turn out to be elsewhere are counted one by one', async () => {
    const { a, b, send } = fixture();
    const quota = { denies: 'together' } as const;
    const result = send(hit('a1', quota), hit('a2', quota), hit('a1'));
    const [elsewhere, other] = [new Place(), new Place()];
    a.groups[0]?.split((key) => (key === 'a1' ? elsewhere : other));
    expect(elsewhere.groups[0]?.hits).toMatchObject([{ denies: 'never' }, { denies: 'always' }]);
    expect(other.groups[0]?.hits).toMatchObject([{ denies: 'never' }]);
    elsewhere.answer(true, state(10, 11), state(11, 12));
    other.answer(true, state(10, 11));
    expect(await result).toMatchObject({ counted: false });
    expect([...a.compensations, ...b.compensations]).toMatchObject([
      { key: 'a1', cost: -2 },
      { key: 'a2', cost: -1 },
    ]);
  });
});

describe('when an answer is missing', () => {
  it('a broken connection may have counted: in a denied request that is lost', async () => {
    const { a, b, send, lost } = fixture();
    const result = send(hit('a1'), hit('a2'), hit('b1'));
    a.groups[0]?.fail(error('connection'));
    b.answer(false, state(10, 11));
    expect(await result).toEqual({
      states: [error('connection'), error('connection'), state(10, 11)],
      counted: false,
    });
    expect(lost).toEqual([['a', 2]]);
    a.groups[0]?.fail(error('connection')); // told twice, lost once
    expect(lost).toEqual([['a', 2]]);
  });

  it('what could not be sent is not lost', async () => {
    const { b, unreachable, send, lost } = fixture();
    unreachable.set('a1', error('connection', ''));
    const result = send(hit('a1'), hit('b1'));
    b.answer(false, state(10, 11));
    expect(await result).toEqual({ states: [error('connection', ''), state(10, 11)], counted: false });
    expect(lost).toEqual([]);
  });

  it('in a request that is not denied nothing is given back', async () => {
    const { a, b, send, lost } = fixture();
    const result = send(hit('a1'), hit('b1'));
    a.groups[0]?.fail(error('timeout'));
    b.answer(true, state(0, 1));
    expect(await result).toMatchObject({ counted: true });
    a.answer(true, state(0, 1));
    expect([...a.compensations, ...b.compensations, ...lost]).toEqual([]);
  });

  it.each(['before', 'after'])(
    'an answer after the deadline, %s the others, is given back',
    async (order) => {
      const { a, b, send } = fixture();
      const result = send(hit('a1'), hit('b1'));
      a.groups[0]?.fail(error('timeout'));
      if (order === 'before') a.answer(true, state(3, 4));
      b.answer(false, state(10, 11));
      expect(await result).toEqual({ states: [error('timeout'), state(10, 11)], counted: false });
      if (order === 'after') a.answer(true, state(3, 4));
      expect(a.compensations).toMatchObject([{ key: 'a1', cost: -1, window: 1_000_000 }]);
    },
  );

  it('a call that never answers is lost when its connection breaks', async () => {
    const { a, b, send, lost } = fixture();
    void send(hit('a1'), hit('b1'));
    a.groups[0]?.fail(error('timeout'));
    b.answer(false, state(10, 11));
    expect(lost).toEqual([]);
    a.groups[0]?.fail(error('connection'));
    expect(lost).toEqual([['a', 1]]);
  });

  it('giving back that fails is lost', async () => {
    const { a, b, unreachable, send, lost } = fixture();
    const result = send(hit('a1'), hit('a2'), hit('b1'));
    a.answer(true, state(0, 1), state(0, 1));
    unreachable.set('a2', error('connection', ''));
    b.answer(false, state(10, 11));
    await result;
    a.compensations[0]?.fail(error('readonly'));
    expect(lost).toEqual([
      ['node', 1],
      ['a', 1],
    ]);
  });

  it('counts every hit that was to be given back with others as lost', async () => {
    const { a, b, send, lost } = fixture();
    void send(hit('a1'), hit('a1', { cost: 0 }), hit('a1', { cost: 2 }), hit('b1'));
    a.answer(true, state(0, 1), state(1, 1), state(1, 3));
    b.answer(false, state(10, 11));
    a.compensations[0]?.fail(error('readonly'));
    expect(lost).toEqual([['a', 2]]);
  });
});
