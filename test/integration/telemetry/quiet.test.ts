import { createSocket, Socket as DatagramSocket } from 'node:dgram';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { createLogger } from '../../../src/log.ts';
import { createDecisionLog } from '../../../src/telemetry/decision-log.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createStoreLog } from '../../../src/telemetry/store-log.ts';
import { hitOn, ruleSetOf } from '../../support/decision-events.ts';

describe('telemetry without any settings', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('T07: dials nobody and writes nothing in ten minutes of ordinary traffic', async () => {
    const dials = [
      vi.spyOn(Socket.prototype, 'connect'),
      vi.spyOn(DatagramSocket.prototype, 'send'),
      vi.spyOn(DatagramSocket.prototype, 'connect'),
    ];
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    const log = createLogger({ level: 'info', format: 'json', destination });
    const metrics = createMetrics();
    const listeners = [metrics.listener, createDecisionLog({ log, clock: systemClock, explain: () => '' })];
    createStoreLog({ log, clock: systemClock });
    const rules = ruleSetOf('shop', [{ key: 'ip' }]);
    for (let second = 0; second < 600; second += 1) {
      for (const listen of listeners) listen(hitOn(rules, 'shop', 'ip=192.0.2.1'));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await metrics.text();
    expect(lines).toEqual([]);
    for (const dial of dials) expect(dial).not.toHaveBeenCalled();
  });

  it('T07: would see a dial', () => {
    const connect = vi.spyOn(Socket.prototype, 'connect').mockReturnThis();
    const send = vi.spyOn(DatagramSocket.prototype, 'send').mockReturnValue(undefined);
    new Socket().connect(8125, '127.0.0.1');
    const datagrams = createSocket('udp4');
    datagrams.send('x', 8125, '127.0.0.1');
    datagrams.close();
    expect(connect).toHaveBeenCalledOnce();
    expect(send).toHaveBeenCalledOnce();
  });
});
