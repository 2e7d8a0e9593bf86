import { createGrpcClient, type GrpcAnswer, shouldRateLimit } from '../support/grpc-client.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A client of grpc-js that does what clients do, all the time, on a connection of its own. */
export interface GoodClient extends AsyncDisposable {
  /** Calls that were answered with OK. */
  readonly answered: number;
  /** All other answers. */
  readonly failures: readonly GrpcAnswer[];
  /** Times of the calls since it was asked last, in ms. */
  takeTimes(): number[];
  /** When so many more calls were answered, or one was not. */
  goesOn(calls: number): Promise<unknown>;
}

const request = { domain: 'attacks', descriptors: [{ entries: [{ key: 'user', value: 'good' }] }] };

/** @param lanes calls that it has open at the same time */
export function startGoodClient(address: string, lanes = 2): GoodClient {
  const client = createGrpcClient(address);
  const failures: GrpcAnswer[] = [];
  let answered = 0;
  let times: number[] = [];
  let isStopped = false;

  async function lane(): Promise<void> {
    while (!isStopped) {
      const start = performance.now();
      const answer = await client.call(shouldRateLimit, request);
      times.push(performance.now() - start);
      if ('response' in answer && answer.response['overallCode'] === 'OK') answered += 1;
      else failures.push(answer);
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    get answered() {
      return answered;
    },
    failures,
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
    goesOn(calls) {
      const goal = answered + calls;
      return waitUntil(`${calls} good calls`, () => answered >= goal || failures.length > 0);
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      await running;
      client.close();
    },
  };
}
