import { describe, expect, it, onTestFinished } from 'vitest';
import type { HealthEvent } from '../../../src/health.ts';
import { checkHealth, createGrpcClient } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Edge, startGrpcEdge, startHttpEdge } from './start-edges.ts';
import { openStream } from './stream-call.ts';

const loaded: HealthEvent = { kind: 'config-loaded', domains: 1 };
const answered: HealthEvent = { kind: 'store-answered' };

async function check(edge: Edge, service: string) {
  const client = createGrpcClient(edge.address);
  onTestFinished(() => client.close());
  return client.call(checkHealth, { service });
}

describe('D02: all health endpoints agree, and /livez is none of them', () => {
  it.each([
    ['at the start', [], false, 'not ready: config, store\n'],
    ['without a configuration', [answered], false, 'not ready: config\n'],
    ['before the store has answered', [loaded], false, 'not ready: store\n'],
    ['when both are there', [loaded, answered], true, 'OK'],
    ['when the wait for the store is over', [loaded, { kind: 'store-wait-over' }], true, 'OK'],
    [
      'while the store is away',
      [loaded, answered, { kind: 'store-connection', isConnected: false }],
      true,
      'OK',
    ],
    ['after SIGTERM', [loaded, answered, { kind: 'stopping' }], false, 'not ready: running\n'],
  ] as [string, HealthEvent[], boolean, string][])('%s', async (_when, events, isReady, readyz) => {
    const grpc = await startGrpcEdge();
    const http = await startHttpEdge();
    for (const event of events) {
      grpc.health.report(event);
      http.health.report(event);
    }
    const get = (path: string) => httpCall({ address: http.address, path });

    const expected = { response: { status: isReady ? 'SERVING' : 'NOT_SERVING' } };
    await expect(check(grpc, '')).resolves.toEqual(expected);
    await expect(check(grpc, 'ratelimit')).resolves.toEqual(expected);
    await expect(get('/healthcheck')).resolves.toMatchObject(
      isReady ? { status: 200, body: 'OK' } : { status: 500, body: '' },
    );
    await expect(get('/readyz')).resolves.toMatchObject({ status: isReady ? 200 : 503, body: readyz });
    await expect(get('/livez')).resolves.toMatchObject({ status: 200, body: 'OK' });
  });

  it('any other name is unknown', async () => {
    const edge = await startGrpcEdge();
    await expect(check(edge, 'no-such-service')).resolves.toEqual({
      status: 'NOT_FOUND',
      message: 'unknown service',
    });
    await expect(check(edge, 'RATELIMIT')).resolves.toMatchObject({ status: 'NOT_FOUND' });
    expect(edge.calls).toMatchObject([
      { method: 'Check', code: 'NOT_FOUND' },
      { method: 'Check', code: 'NOT_FOUND' },
    ]);
  });
});

describe('Watch', () => {
  function watch(edge: Edge, service: string) {
    const call = openStream(edge.address, 'grpc.health.v1.Health', 'Watch');
    call.send({ service });
    call.end();
    return call;
  }

  it.each(['', 'ratelimit'])('of "%s": the present status and each change', async (service) => {
    const edge = await startGrpcEdge();
    const call = watch(edge, service);
    await expect(call.message(1)).resolves.toEqual({ status: 'NOT_SERVING' });
    edge.health.report(loaded);
    edge.health.report(answered);
    await expect(call.message(2)).resolves.toEqual({ status: 'SERVING' });
    edge.health.report({ kind: 'store-connection', isConnected: false });
    edge.health.report({ kind: 'stopping' });
    await expect(call.message(3)).resolves.toEqual({ status: 'NOT_SERVING' });
    expect(call.messages).toHaveLength(3);
  });

  it('of an unknown name: SERVICE_UNKNOWN, and the call stays open', async () => {
    const edge = await startGrpcEdge();
    const call = watch(edge, 'no-such-service');
    await expect(call.message(1)).resolves.toEqual({ status: 'SERVICE_UNKNOWN' });
    edge.health.report(loaded);
    edge.health.report(answered);
    call.cancel();
    await expect(call.ended).resolves.toMatchObject({ status: 'CANCELLED' });
    expect(call.messages).toHaveLength(1);
  });

  it('a watcher that leaves is forgotten', async () => {
    const edge = await startGrpcEdge();
    const call = watch(edge, '');
    await call.message(1);
    call.cancel();
    await waitUntil('the call to end', () => edge.calls.length === 1);
    expect(edge.calls).toMatchObject([{ method: 'Watch', code: 'CANCELLED' }]);
    edge.health.report(loaded);
    edge.health.report(answered);
    expect(edge.lines).toEqual([]);
  });

  it('ends when the server stops', async () => {
    const edge = await startGrpcEdge();
    const call = watch(edge, '');
    await call.message(1);
    await expect(edge.server.stop(20_000)).resolves.toBe('drained');
    await expect(call.ended).resolves.toEqual({ status: 'UNAVAILABLE', message: 'the server is stopping' });
  });
});
