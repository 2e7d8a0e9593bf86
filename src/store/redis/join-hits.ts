import type { Counting } from '../../domain/counting.ts';
import type { HitTask } from './task.ts';

/** Hits on one key that the script does as one. */
export interface Operation {
  readonly key: string;
  readonly counting: Counting;
  /** The sum of the tasks' costs. */
  cost: number;
  readonly tasks: HitTask[];
}

const maxCost = 2 ** 32 - 1;

/**
 * Joins hits on equal keys. Taking and looking join, as the sum tells each hit's part, and so long as the sum is a cost
 * itself; a hit that gives back stands alone, since the floor at 0 makes its place in the order matter. On a bucket of tokens,
 * where each hit takes all of its tokens or none, only those of one cost join.
 *
 * Joining spares the server work and changes no answer, so that equal keys may be missed: where another key with the
 * same place in the table came between them, or their fingerprints differ.
 */
export function joinHits(tasks: readonly HitTask[]): Operation[] {
  const operations: Operation[] = [];
  for (const task of tasks) {
    const { key, fingerprint, counting, cost } = task.hit;
    const place = (fingerprint ^ (fingerprint >>> 16)) & lastPlace;
    const last = fingerprints[place] === fingerprint ? latest[place] : undefined;
    if (last?.key === key && joins(last, cost)) {
      last.cost += cost;
      last.tasks.push(task);
    } else {
      const operation = { key, counting, cost, tasks: [task] };
      operations.push(operation);
      fingerprints[place] = fingerprint;
      latest[place] = operation;
    }
  }
  latest.fill(undefined);
  return operations;
}

function joins({ counting, cost: sum, tasks }: Operation, cost: number): boolean {
  if (counting.kind === 'token_bucket') return cost > 0 && cost === tasks[0]?.hit.cost;
  return cost >= 0 && sum >= 0 && sum + cost <= maxCost;
}

/**
 * The latest operation for a key, by the key's fingerprint. A Map would have each key put together and hashed, which took longer than
 * all else that is done with a hit here.
 */
const places = 1_024;
const lastPlace = places - 1;
const latest: (Operation | undefined)[] = new Array(places).fill(undefined);
const fingerprints = new Int32Array(places);
