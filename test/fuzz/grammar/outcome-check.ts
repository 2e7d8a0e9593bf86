import { grpcCodes } from '../../../src/transport/grpc-status.ts';
import type { CallFault, TransportEvent } from '../../../src/transport/transport-event.ts';
import { planFor } from '../answer-plan.ts';
import { Fault } from '../oracle/fault.ts';
import type { StreamView } from '../oracle/stream-view.ts';
import { gaveUp, watchAnswers } from '../scripted-calls.ts';
import type { ClientCall } from './client-state.ts';

/** What a session may do to any call, when it is short of something; and by which status or RST_STREAM code that is seen. */
const ownFaults: Partial<Record<CallFault, number>> = {
  deadline: grpcCodes.DEADLINE_EXCEEDED,
  'slow-request': grpcCodes.DEADLINE_EXCEEDED,
  'window-exhausted': grpcCodes.RESOURCE_EXHAUSTED,
};
const resetCodes: Partial<Record<CallFault, number>> = { refused: 7, unsent: 2 };

/** What becomes of the calls of a client that keeps to the rules. */
export class OutcomeCheck {
  readonly #seed: number;
  readonly #events = new Map<string, number>();
  /** The server has stopped: streams end early. */
  hasStopped = false;

  constructor(seed: number) {
    this.#seed = seed;
  }

  readonly onEvent = (event: TransportEvent): void => {
    if (event.kind === 'connection-fault') this.#count(`connection ${event.fault}`);
    else if (event.kind === 'call-fault') this.#count(event.fault);
  };

  /** The connection goes on. */
  checkConnection(): void {
    for (const name of this.#events.keys()) {
      if (name.startsWith('connection '))
        throw new Fault('a client that keeps to the rules is not cut off', name);
    }
  }

  /** Nobody is called faulty who was not. */
  checkFaults(calls: readonly ClientCall[]): void {
    for (const [name, count] of this.#events) {
      const isOwn = name in ownFaults || name in resetCodes;
      const made = calls.filter(({ request }) => request.fault === name).length;
      if (!isOwn && count > made)
        throw new Fault('a call without a fault is called faulty', `${name} ${count} times, not ${made}`);
    }
  }

  checkCall(call: ClientCall, view: StreamView | undefined): void {
    if (call.request.fault !== undefined || call.wasReset || view === undefined) return;
    const detail = `stream ${call.id}: status ${view.httpStatus} ${view.grpcStatus}, reset ${view.resetCode}`;
    const { status, answers, breaks } = this.#expected(call);
    if (!view.serverEnded) {
      const hasReason =
        this.#has(resetCodes, view.resetCode) || (breaks && view.resetCode === resetCodes.unsent);
      if (!hasReason) throw new Fault('a sound call is answered', detail);
      return;
    }
    const isShort = view.grpcStatus !== status;
    const hasReason =
      this.#has(ownFaults, view.grpcStatus) || (this.hasStopped && view.grpcStatus === grpcCodes.UNAVAILABLE);
    const isSo =
      view.answers.every((answer, i) => answer === answers[i]) &&
      (isShort || view.answers.length === answers.length);
    if (!isSo || (isShort && !hasReason))
      throw new Fault(
        'a sound call gets the right answer',
        `${detail}, ${view.answers.length} answers, not ${status}, ${answers.length}`,
      );
  }

  #expected({ request }: ClientCall): { status: number; answers: number[]; breaks: boolean } {
    const answers: number[] = [];
    const end = (status: number, breaks = false) => ({ status, answers, breaks });
    for (const message of request.messages) {
      const plan = planFor(message, this.#seed);
      if (request.isUnary && plan.when === 'until-closed') return end(grpcCodes[gaveUp.code]);
      if (!request.isUnary && plan.breaks) return end(-1, true);
      if (plan.status !== undefined) return end(grpcCodes[plan.status.code]);
      for (let i = request.isServerStream ? watchAnswers : 1; i > 0; i--) answers.push(plan.hash);
    }
    return end(0);
  }

  #has(faults: Partial<Record<CallFault, number>>, code: number): boolean {
    return Object.entries(faults).some(([name, itsCode]) => itsCode === code && this.#events.has(name));
  }

  #count(name: string): void {
    this.#events.set(name, (this.#events.get(name) ?? 0) + 1);
  }
}
