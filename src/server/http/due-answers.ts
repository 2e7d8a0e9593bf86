import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './http-limits.ts';

/** What a connection owes. */
interface Due {
  answers: number;
  /** Ends the connection. */
  timer: NodeJS.Timeout | undefined;
}

/** Adds an answer to those that are due. False when the connection has ended, so that none is worth making. */
export type DueAnswers = (socket: Socket, response: ServerResponse) => boolean;

/**
 * Bounds what the answers of one connection can hold. Node reads on while answers are made: a client that sends requests
 * ahead could have any number of them wait for the store, and one that takes no answer would keep what was written to it
 * for ever. Either loses its connection.
 */
export function createDueAnswers(limits: Pick<HttpLimits, 'maxPipelined' | 'answerTimeoutMs'>): DueAnswers {
  const connections = new WeakMap<Socket, Due>();

  function watch(socket: Socket): Due {
    const due: Due = { answers: 0, timer: undefined };
    connections.set(socket, due);
    socket.once('close', () => clearTimeout(due.timer));
    return due;
  }

  return (socket, response) => {
    const due = connections.get(socket) ?? watch(socket);
    if (due.answers === limits.maxPipelined) socket.destroy();
    if (socket.destroyed) return false;
    due.timer ??= setTimeout(() => socket.destroy(), limits.answerTimeoutMs).unref();
    due.answers += 1;
    response.once('close', () => {
      due.answers -= 1;
      if (due.answers > 0) {
        due.timer?.refresh();
        return;
      }
      clearTimeout(due.timer);
      due.timer = undefined;
    });
    return true;
  };
}
