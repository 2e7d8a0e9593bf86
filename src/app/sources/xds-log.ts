import type { XdsSourceEvent } from '../../config/xds/xds-source.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { Sampler } from '../../log-sampler.ts';
import { printable } from '../../telemetry/printable.ts';

export interface XdsLogOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Of the server. */
  readonly address: string;
}

/** What does not change is told of once in this time: a server that stays away is no news at each try. */
const intervalMs = 60_000;

/** What a control plane and the way to it do. What is in force, and what is wrong with it, the loader's log says. */
export function createXdsLog({ clock, log, address }: XdsLogOptions): (event: XdsSourceEvent) => void {
  const sampler = new Sampler({ intervalMs, maxSubjects: 20 });
  return (event) => {
    const line = sampler.take(subjectOf(event), clock.monotonic());
    if (line === undefined) return;
    const { level, fields, message } = lineOf(event);
    log[level]({ address, ...fields, ...line }, message);
  };
}

/** Another reason is news. */
function subjectOf(event: XdsSourceEvent): string {
  return event.kind === 'disconnected' ? `${event.kind} ${event.reason}` : event.kind;
}

interface Line {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

function lineOf(event: XdsSourceEvent): Line {
  switch (event.kind) {
    case 'connected':
      return { level: 'info', fields: {}, message: 'connected to the xDS server' };
    case 'disconnected':
      return disconnectedLine(event);
    case 'accepted': {
      const fields = { version: printable(event.version) };
      return { level: 'debug', fields, message: 'rules of the xDS server acknowledged' };
    }
    case 'refused': {
      const fields = { version: printable(event.version), problems: event.problems.length };
      return { level: 'error', fields, message: 'rules of the xDS server refused; it has been told why' };
    }
    case 'other-type': {
      const fields = { type: printable(event.typeUrl) };
      return { level: 'warn', fields, message: 'the xDS server sent resources that nobody asked for' };
    }
    case 'delivery-failed':
      return {
        level: 'error',
        fields: { err: event.error },
        message: 'rules of the xDS server could not be looked at',
      };
  }
}

function disconnectedLine(event: XdsSourceEvent & { kind: 'disconnected' }): Line {
  const fields = { reason: printable(event.reason), retryMs: Math.round(event.retryMs) };
  const message = event.wasConnected
    ? 'the stream of the xDS server has ended; it is opened again'
    : 'the xDS server cannot be reached; it is tried again';
  return { level: 'warn', fields, message };
}
