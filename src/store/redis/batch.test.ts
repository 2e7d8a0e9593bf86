import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../domain/counting.ts';
import type { Hit } from '../../domain/hit.ts';
import { keysOf, makeBatch, settleBatch } from './batch.ts';
import { notLocal } from './script-answer.ts';
import { CompensationTask, type GroupAnswer, GroupTask, HitCall, HitTask } from './task.ts';

const hit = (key: string, cost: number, rest: Partial<Hit> = {}): Hit => {
  return {
    key,
    fingerprint: 0,
    counting: fixedWindow(60),
    isPerSecond: false,
    cost,
    limit: 10,
    denies: 'always',
    ...rest,
  };
};

const options = { maxJitterMs: 0, serverMs: 0 };

/** Tasks for hits, and the states that they will have got. */
function hitTasks(...hits: Hit[]) {
  let states: readonly object[] | undefined;
  const call = new HitCall(hits.length, 0, (result) => {
    states = result.states;
  });
  return { tasks: hits.map((one, index) => new HitTask(one, index, call)), states: () => states };
}

function groupTask(...hits: Hit[]) {
  const answers: object[] = [];
  const listener = {
    answered: (answer: object) => answers.push(answer),
    late: (answer: object) => answers.push({ late: answer }),
    split: () => {},
  };
  return { task: new GroupTask(hits, 0, listener), answers };
}

describe('makeBatch', () => {
  it('writes the arguments that the script reads', () => {
    const { tasks } = hitTasks(hit('a', 1), hit('b', 0, { counting: fixedWindow(1) }), hit('c', -2));
    const undo = { key: 'd', counting: fixedWindow(60), cost: -3, lowest: -7, window: 2 ** 20 + 5 };
    const group = groupTask(
      hit('e', 1),
      hit('f', 2, { limit: 4, denies: 'together' }),
      hit('g', 0, { denies: 'never' }),
    );
    const batch = makeBatch([group.task, ...tasks, new CompensationTask(undo, 0, () => {})], {
      maxJitterMs: 300_000,
      serverMs: 0,
    });
    expect(batch.args).toEqual([
      ...['300000', '3', '1'],
      ...['a', '60', '1', 'b', '1', '0', 'c', '60', '-2'],
      ...['d', '-7', '-3', '5'],
      ...['3', 'e', '60', '1', '10', 'a', 'f', '60', '2', '4', 't', 'g', '60', '0', '10', 'n'],
    ]);
    expect(keysOf(batch)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('P04: a thousand hits on one key are one operation', () => {
    const { tasks } = hitTasks(...Array.from({ length: 1_000 }, () => hit('hot', 1)));
    expect(makeBatch(tasks, options).args).toEqual(['0', '1', '0', 'hot', '60', '1000']);
  });
});

describe('settleBatch', () => {
  const nowMs = 60_000 * 7 + 15_000;

  it('gives joined hits the answers that they would have had one by one', () => {
    const { tasks, states } = hitTasks(hit('a', 1), hit('a', 0), hit('a', 4));
    settleBatch(makeBatch(tasks, options), [nowMs, 5], 'node');
    expect(states()).toEqual([
      { before: 5, after: 6, msUntilReset: 45_000 },
      { before: 6, after: 6, msUntilReset: 45_000 },
      { before: 6, after: 10, msUntilReset: 45_000 },
    ]);
  });

  it('an error is the state of its own hits', () => {
    const { tasks, states } = hitTasks(hit('a', 1), hit('a', 1), hit('b', 1));
    const settled = settleBatch(makeBatch(tasks, options), [nowMs, 'WRONGTYPE Operation', 0], 'node');
    const error = { kind: 'data', message: 'WRONGTYPE Operation', node: 'node' };
    expect(states()).toEqual([error, error, { before: 0, after: 1, msUntilReset: 45_000 }]);
    expect(settled).toEqual({ redirected: [], errors: [{ error, hits: 2 }] });
  });

  it('hits and groups of another node come back unsettled', () => {
    const { tasks, states } = hitTasks(hit('a', 1), hit('b', 1));
    const group = groupTask(hit('c', 1), hit('d', 1));
    const { redirected } = settleBatch(
      makeBatch([...tasks, group.task], options),
      [nowMs, notLocal, 3, notLocal],
      'node',
    );
    expect(redirected).toEqual([tasks[0], group.task]);
    expect(states()).toBeUndefined();
    expect(group.answers).toEqual([]);
  });

  it('a group has its verdict, counts and errors', () => {
    const group = groupTask(hit('c', 1), hit('d', 1));
    settleBatch(makeBatch([group.task], options), [nowMs, 0, 4, 'NOPERM no'], 'node');
    const [answer] = group.answers as [GroupAnswer];
    expect(answer).toMatchObject({ counted: false, nowMs, node: 'node' });
    expect(answer.states).toMatchObject([{ before: 4, after: 5 }, { kind: 'denied' }]);
  });

  it.each([
    ['nothing', null],
    ['too little', [nowMs]],
    ['too much', [nowMs, 1, 1]],
    ['no time', ['x', 1]],
    ['something else', [nowMs, [1]]],
  ])('an answer that makes no sense is an error: %s', (_, reply) => {
    const { tasks, states } = hitTasks(hit('a', 1));
    const { errors } = settleBatch(makeBatch(tasks, options), reply, 'node');
    expect(states()).toMatchObject([{ kind: 'script', node: 'node' }]);
    expect(errors).toMatchObject([{ hits: 1 }]);
  });
});
