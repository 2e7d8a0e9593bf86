import http2 from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { openStream } from '../server/stream-call.ts';

const request = { domain: 'shop', descriptors: [{ entries: [{ key: 'none', value: 'x' }] }] };
const decided = { response: { overallCode: 'OK' } };

function start(env: Record<string, string>): Promise<RunningWeir> {
  return startWeir({ rules: { 'shop.yaml': baseRules }, env: { BACKEND_TYPE: 'memory', ...env } });
}

function lineOf(weir: RunningWeir, beginning: string): Record<string, unknown> | undefined {
  return weir.log().find((line) => String(line['@message']).startsWith(beginning));
}

/** An HTTP/2 connection of its own, and what the server says on it. */
function connect(weir: RunningWeir) {
  const session = http2.connect(`http://${weir.address('grpc')}`);
  onTestFinished(() => session.destroy());
  session.on('error', () => {});
  const events: string[] = [];
  session.on('goaway', (code) => events.push(`GOAWAY ${code}`));
  session.on('close', () => events.push('closed'));
  return { session, events };
}

/** A call whose client sends nothing and waits. */
function hangingCall({ session }: ReturnType<typeof connect>): Promise<void> {
  const call = session.request({
    ':method': 'POST',
    ':path': shouldRateLimit.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  return new Promise((resolve) => {
    call.on('error', () => {});
    call.once('close', resolve);
    call.resume();
  });
}

describe('at a signal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s: not ready, serving on, GOAWAY, the end',
    async (signal) => {
      await using weir = await start({ DRAIN_DELAY: '3s' });
      const client = createGrpcClient(weir.address('grpc'));
      onTestFinished(() => client.close());
      const other = connect(weir);
      await waitUntil('a connection', () => !other.session.connecting);
      const watch = openStream(weir.address('grpc'), 'grpc.health.v1.Health', 'Watch');
      watch.send({ service: '' });
      watch.end();
      expect(await watch.message(1)).toEqual({ status: 'SERVING' });

      weir.signal(signal);
      expect(await watch.message(2)).toEqual({ status: 'NOT_SERVING' });
      const ready = await httpCall({ address: weir.address('http'), path: '/readyz' });
      expect(ready).toMatchObject({ status: 503, body: expect.stringContaining('running') });
      expect(await client.call(shouldRateLimit, request)).toMatchObject(decided);
      const late = createGrpcClient(weir.address('grpc'));
      onTestFinished(() => late.close());
      expect(await late.call(shouldRateLimit, request)).toMatchObject(decided);
      expect(other.events).toEqual([]);

      expect(await weir.ended).toEqual({ code: 0, signal: null });
      await waitUntil('the end of the connection', () => other.events.includes('closed'));
      expect(new Set(other.events)).toEqual(new Set(['GOAWAY 0', 'closed']));
      expect(other.events.at(-1)).toBe('closed');
      expect(lineOf(weir, 'stopping')).toMatchObject({ signal, drainDelay: '3s', drainDeadline: '25s' });
      expect(lineOf(weir, 'not ready')).toMatchObject({ down: ['running'] });
      expect(lineOf(weir, 'stopped')).toMatchObject({ outcome: 'drained' });
    },
  );

  it('a second one ends it at once', async () => {
    await using weir = await start({ DRAIN_DELAY: '40s', DRAIN_DEADLINE: '50s' });
    weir.signal('SIGINT');
    const { '@message': message } = await waitUntil('the first signal', () => lineOf(weir, 'stopping'));
    expect(message).toContain('a second signal ends it at once');
    weir.signal('SIGTERM');
    expect(await weir.ended).toEqual({ code: 0, signal: null });
    expect(lineOf(weir, 'stopped')).toMatchObject({ outcome: 'a second signal' });
  });

  it('a call that hangs is let go at the drain timeout', async () => {
    await using weir = await start({ DRAIN_DELAY: '0s', DRAIN_DEADLINE: '1s' });
    const connection = connect(weir);
    const call = hangingCall(connection);
    await waitUntil('an answer on the same connection', () => pinged(connection.session));
    weir.signal('SIGTERM');
    await waitUntil('GOAWAY', () => connection.events.includes('GOAWAY 0'));
    expect(connection.session.destroyed).toBe(false);
    expect(await weir.ended).toEqual({ code: 0, signal: null });
    await call;
  });
});

/** Frames are read in order: with the answer to a ping, the server has seen what was sent before it. */
function pinged(session: http2.ClientHttp2Session): Promise<boolean> {
  return new Promise((resolve) => session.ping((error) => resolve(error === null)));
}
