import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConfigLoader } from '../../../src/config/config-loader.ts';
import type { AdsServer as AdsTarget } from '../../../src/config/xds/ads-stream.ts';
import { createXdsSource, type XdsSourceEvent } from '../../../src/config/xds/xds-source.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { type AdsServer, startAdsServer } from '../../support/ads-server.ts';
import { freePort } from '../../support/free-port.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { brokenResource, limitResource, localServer, promptly } from './xds-fixture.ts';

async function startServer(port = 0): Promise<AdsServer> {
  const server = await startAdsServer({ port });
  onTestFinished(() => server.stop());
  return server;
}

/** A source and a loader at work, as the service runs them. */
function startLoading(address: string, options: Partial<AdsTarget> = {}) {
  const events: XdsSourceEvent[] = [];
  const loader = createConfigLoader({
    mergeDomains: false,
    keyPrefix: '',
    clock: systemClock,
    onLoad: () => {},
  });
  const source = createXdsSource({
    server: localServer(address, options),
    node: { id: 'edge', metadata: new Map([['zone', 'a']]) },
    backoff: promptly,
    clock: systemClock,
    onEvent: (event) => events.push(event),
  });
  const stopping = new AbortController();
  const running = source.run(loader.apply, stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  onTestFinished(stop);
  const limits = () =>
    loader
      .current()
      ?.rules.map(({ path, limits: [first] }) => `${path}: ${first?.limit.requestsPerUnit ?? 'unlimited'}`);
  return {
    events,
    limits,
    stop,
    untilLimits: (...wanted: string[]) =>
      waitUntil(`the limits ${wanted}`, () => JSON.stringify(limits()) === JSON.stringify(wanted)),
    event: <K extends XdsSourceEvent['kind']>(kind: K) =>
      waitUntil(kind, () => events.find((one): one is XdsSourceEvent & { kind: K } => one.kind === kind)),
  };
}

describe('a stream', () => {
  it('begins with who asks, with the headers, and without a version', async () => {
    const server = await startServer();
    const loading = startLoading(server.address, {
      headers: [
        ['authorization', 'Bearer x'],
        ['trace-bin', 'ab'],
      ],
    });
    const first = await waitUntil('the first request', () => server.requests[0]);
    expect(first).toMatchObject({
      node: { id: 'edge', metadata: { zone: 'a' } },
      versionInfo: '',
      responseNonce: '',
      resourceNames: [],
    });
    expect(server.headers[0]).toMatchObject({ authorization: 'Bearer x', 'trace-bin': Buffer.from('ab') });
    await loading.event('connected');
  });

  it('acknowledges a version when its rules are in force', async () => {
    const server = await startServer();
    server.set('v7', [limitResource('shop', 3)]);
    const loading = startLoading(server.address);
    const ack = await waitUntil('the answer', () => server.requests[1]);
    expect(ack).toMatchObject({ versionInfo: 'v7', responseNonce: '1', errorDetail: undefined });
    expect(loading.limits()).toEqual(['shop.ip: 3']);
  });

  it('refuses a response whole, names all that is wrong, and keeps the rules before it', async () => {
    const server = await startServer();
    server.set('1', [limitResource('shop', 3)]);
    const loading = startLoading(server.address);
    await loading.untilLimits('shop.ip: 3');
    server.set('2', [limitResource('shop', 9), brokenResource('blog'), limitResource('wiki', 1, '')]);
    const nack = await waitUntil('the answer', () => server.requests[2]);
    expect(nack).toMatchObject({ versionInfo: '1', responseNonce: '2', errorDetail: { code: 3 } });
    expect(nack.errorDetail?.message.split('\n')).toEqual([
      expect.stringMatching(/^resource 'blog': .*\[malformed-resource\]$/),
      expect.stringMatching(/^resource 'wiki', descriptors\[0\]: .*\[empty-key\]$/),
    ]);
    expect(loading.limits()).toEqual(['shop.ip: 3']);
    server.set('3', [limitResource('shop', 10)]);
    await loading.untilLimits('shop.ip: 10');
    const ack = await waitUntil('the answer', () => server.requests[3]);
    expect(ack).toMatchObject({ versionInfo: '3', errorDetail: undefined });
  });

  it('refuses a domain that two resources have', async () => {
    const server = await startServer();
    const again = { ...limitResource('shop', 4), name: 'shop-2' };
    server.set('1', [limitResource('shop', 3), again]);
    startLoading(server.address);
    const nack = await waitUntil('the answer', () => server.requests[1]);
    expect(nack.errorDetail?.message).toMatch(
      /resource 'shop-2': domain 'shop' is declared in resource 'shop' too/,
    );
  });

  it('acknowledges what is the same again, in whatever order, and loads nothing', async () => {
    const server = await startServer();
    server.set('1', [limitResource('a', 1), limitResource('b', 2)]);
    const loading = startLoading(server.address);
    await loading.untilLimits('a.ip: 1', 'b.ip: 2');
    server.set('2', [limitResource('b', 2), limitResource('a', 1)]);
    expect(await waitUntil('the answer', () => server.requests[2])).toMatchObject({ versionInfo: '2' });
  });

  it('takes an empty set for no rules', async () => {
    const server = await startServer();
    server.set('1', [limitResource('shop', 3)]);
    const loading = startLoading(server.address);
    await loading.untilLimits('shop.ip: 3');
    server.set('2', []);
    await loading.untilLimits();
  });

  it('does not answer what it has not asked for', async () => {
    const server = await startServer();
    server.set('1', [limitResource('shop', 3)]);
    const loading = startLoading(server.address);
    await loading.untilLimits('shop.ip: 3');
    server.push({ typeUrl: 'type.googleapis.com/envoy.config.cluster.v3.Cluster', nonce: 'x' });
    expect(await loading.event('other-type')).toMatchObject({ typeUrl: expect.stringContaining('Cluster') });
    server.set('2', [limitResource('shop', 4)]);
    await loading.untilLimits('shop.ip: 4');
    expect(server.requests.filter(({ responseNonce }) => responseNonce === 'x')).toEqual([]);
  });
});

describe('a server that goes away', () => {
  it('changes nothing, and is asked for everything again', async () => {
    const server = await startServer();
    server.set('1', [limitResource('shop', 3)]);
    const loading = startLoading(server.address);
    await waitUntil('the answer', () => server.requests[1]);
    server.endStreams();
    expect(await loading.event('disconnected')).toMatchObject({ wasConnected: true });
    const again = await waitUntil('the second stream', () => server.requests[2]);
    expect(again).toMatchObject({ versionInfo: '', responseNonce: '' });
    expect(loading.limits()).toEqual(['shop.ip: 3']);
  });

  it('is found again at its place, and its version may be one that was there before', async () => {
    const first = await startServer();
    first.set('1', [limitResource('shop', 3)]);
    const loading = startLoading(first.address);
    await loading.untilLimits('shop.ip: 3');
    await first.stop();
    await loading.event('disconnected');
    const second = await startServer(first.port);
    second.set('1', [limitResource('shop', 4)]);
    await loading.untilLimits('shop.ip: 4');
  });

  it('may not be there at the start', async () => {
    const port = await freePort();
    const loading = startLoading(`127.0.0.1:${port}`);
    const { wasConnected, reason } = await loading.event('disconnected');
    expect(wasConnected).toBe(false);
    // Without a time in it, so that the log can tell that it is the same again.
    expect(reason).toMatch(/ECONNREFUSED/);
    expect(reason).not.toMatch(/\d{4}-\d\d-\d\dT/);
    const server = await startServer(port);
    server.set('1', [limitResource('shop', 3)]);
    await loading.untilLimits('shop.ip: 3');
  });

  it('is given up when it takes the connection and says nothing', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {}).resume()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    const loading = startLoading(`127.0.0.1:${port}`);
    expect(await loading.event('disconnected')).toMatchObject({
      wasConnected: false,
      reason: 'no connection within 10 s',
    });
    await waitUntil('another try', () => sockets.length > 1);
    await waitUntil('the socket of the first to be closed', () => sockets[0]?.closed);
  });

  it('does not hold up the end', async () => {
    const loading = startLoading(`127.0.0.1:${await freePort()}`);
    await loading.event('disconnected');
    await loading.stop();
  });
});

it('a response beyond the largest is refused by the library, and says so', async () => {
  const server = await startServer();
  server.set('1', [limitResource('shop', 3)]);
  const loading = startLoading(server.address, { maxMessageBytes: 10 });
  expect(await loading.event('disconnected')).toMatchObject({
    reason: expect.stringMatching(/RESOURCE_EXHAUSTED.*larger than max/),
  });
});

it('a response that is none ends the stream, and the next is opened', async () => {
  const server = await startServer();
  const loading = startLoading(server.address);
  await waitUntil('the stream', () => server.streams() === 1);
  server.push(Buffer.from([0x0a, 5]));
  expect(await loading.event('disconnected')).toMatchObject({
    wasConnected: true,
    reason: expect.stringMatching(/^a response cannot be read: /),
  });
  await waitUntil('the second stream', () => server.headers.length === 2);
});
