import { describe, expect, it } from 'vitest';
import { answerWith, failWith, okMessage, startAnsweringServer } from './answering-server.ts';
import { runLoad } from './run-load.ts';

describe('a load from its own process', () => {
  it('is a closed loop', async () => {
    await using server = await startAnsweringServer((call) => answerWith(call, okMessage));
    const result = await runLoad({ target: `127.0.0.1:${server.port}`, calls: 400 });
    expect(result).toMatchObject({ calls: 400, failed: 0, warmUpCalls: 0, opened: 4, delayP99: 0 });
    expect(server.calls.length).toBe(400);
    expect(result.callsPerSecond).toBeCloseTo(400 / result.seconds, 3);
    expect(result.p50).toBeLessThanOrEqual(result.p99);
    expect(result.p999).toBeLessThanOrEqual(result.max);
    expect(result.generatorCpuMicrosPerCall).toBeGreaterThan(0);
  });

  it('is an open loop with the calls that its rate and seed give', async () => {
    await using server = await startAnsweringServer((call) => answerWith(call, okMessage));
    const settings = { target: `127.0.0.1:${server.port}`, mode: 'open', rate: 2_000, calls: 100 } as const;
    const result = await runLoad({ ...settings, warmUpSeconds: 0.01 });
    expect(result).toMatchObject({ calls: 100, failed: 0 });
    expect(result.warmUpCalls).toBeGreaterThan(0);
    expect(server.calls.length).toBe(100 + result.warmUpCalls);
  });

  it('counts calls that fail', async () => {
    await using server = await startAnsweringServer((call) => failWith(call, '14'));
    const result = await runLoad({ target: `127.0.0.1:${server.port}`, calls: 10 });
    expect(result).toMatchObject({ calls: 10, failed: 10, callsPerSecond: 0 });
  });

  it('rejects where there is no server', async () => {
    await expect(runLoad({ target: '127.0.0.1:1', calls: 10 })).rejects.toThrow('ECONNREFUSED');
  });
});
