import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { freePorts } from '../../support/free-port.ts';
import { checkHealth, createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { startProcess } from '../../support/start-process.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';

const binary = fileURLToPath(new URL('../../../bin/weir.js', import.meta.url));
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function start(options: Parameters<typeof startWeir>[0]): Promise<RunningWeir> {
  const weir = await startWeir(options);
  cleanups.push(() => weir.stop());
  return weir;
}

async function healthOf(weir: RunningWeir): Promise<unknown[]> {
  const client = createGrpcClient(weir.address('grpc'));
  const named = await Promise.all(['', 'ratelimit'].map((service) => client.call(checkHealth, { service })));
  client.close();
  const paths = ['/healthcheck', '/readyz', '/livez'];
  const http = await Promise.all(paths.map((path) => httpCall({ address: weir.address('http'), path })));
  return [
    ...named.map((one) => ('response' in one ? one.response['status'] : one.status)),
    ...http.map((one) => one.status),
  ];
}

describe('C04: started with only an invalid configuration', () => {
  const typo = baseRules.replace('requests_per_unit: 3', 'request_per_unit: 3');

  it('C03: is alive and not ready, says what to change, and decides nothing', async () => {
    const weir = await start({ rules: { 'shop.yaml': typo }, untilReady: false });
    await waitUntil('the refusal', () => weir.log().some(({ code }) => code === 'unknown-key'));
    expect(await healthOf(weir)).toEqual(['NOT_SERVING', 'NOT_SERVING', 500, 503, 200]);
    expect(weir.log()).toContainEqual(
      expect.objectContaining({
        line: 8,
        problem: expect.stringContaining("unknown key 'request_per_unit', did you mean 'requests_per_unit'?"),
      }),
    );
    const client = createGrpcClient(weir.address('grpc'));
    const request = { domain: 'shop', descriptors: [{ entries: [{ key: 'ip', value: 'x' }] }] };
    expect(await client.call(shouldRateLimit, request)).toMatchObject({ status: 'UNAVAILABLE' });
    client.close();
    const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
    expect(body).toContain('weir_config_last_load_ok 0');
  });

  it('becomes ready when the file is mended, without a restart', async () => {
    const root = await mkdtemp(join(await tmp(), 'weir-start-'));
    cleanups.push(() => rm(root, { recursive: true }));
    await writeFile(join(root, 'shop.yaml'), typo);
    const weir = await start({ rules: root, untilReady: false });
    await waitUntil('the refusal', () => weir.log().some(({ code }) => code === 'unknown-key'));
    await writeFile(join(root, 'shop.yaml'), baseRules);
    await waitUntil('readiness', async () => (await healthOf(weir))[3] === 200);
    expect(await healthOf(weir)).toEqual(['SERVING', 'SERVING', 200, 200, 200]);
  });
});

it('T07: started with no settings of metrics, nothing is called', async ({ skip }) => {
  const calls: string[] = [];
  // Where the reference sends its statistics by default.
  const statsd = createServer((socket) => calls.push(String(socket.remotePort)));
  const isListening = await new Promise<boolean>((resolve) => {
    statsd.once('error', () => resolve(false));
    statsd.listen(8125, '127.0.0.1', () => resolve(true));
  });
  skip(!isListening, 'port 8125, where the reference sends its statistics, is taken by another process');
  cleanups.push(() => new Promise((resolve) => statsd.close(resolve)));
  const weir = await start({ rules: { 'shop.yaml': baseRules } });
  await httpCall({ address: weir.address('http'), path: '/metrics' });
  expect(calls).toEqual([]);
  const lines = weir.log().map((line) => line['@message']);
  expect(new Set(lines).size).toBe(lines.length - repeatedOnPurpose(lines));
});

/** The line about each listener has the same text. */
function repeatedOnPurpose(lines: readonly unknown[]): number {
  return lines.filter((line) => line === 'listening').length - 1;
}

describe('settings that Weir cannot follow end the start with a sentence', () => {
  it.each([
    [{ BACKEND_TYPE: 'memcache' }, /BACKEND_TYPE/],
    [{ CONFIG_TYPE: 'ZOOKEEPER' }, /CONFIG_TYPE/],
    [{ USE_STATSD: 'true', USE_DOG_STATSD: 'true' }, /USE_STATSD/],
    [{ TRACING_ENABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'otel' }, /OTEL_EXPORTER_OTLP_ENDPOINT/],
    [{ GRPC_PORT: 'many' }, /GRPC_PORT/],
    [{ REDIS_URL: 'redis.example:port' }, /REDIS_URL/],
    [
      { GRPC_SERVER_USE_TLS: 'true', GRPC_SERVER_TLS_CERT: '/none.crt', GRPC_SERVER_TLS_KEY: '/none.key' },
      /none\.crt/,
    ],
  ])('%o', async (env, sentence) => {
    const ports = { PORT: '0', GRPC_PORT: '0', DEBUG_PORT: '0' };
    const child = await startProcess(process.execPath, [binary, 'serve'], { env: { ...ports, ...env } });
    expect(await child.ended).toEqual({ code: 2, signal: null });
    expect(child.lines.join('\n')).toMatch(sentence);
  });

  it('also a port that is taken', async () => {
    const [port = 0] = await freePorts(1);
    const taken = createServer().listen(port, '127.0.0.1');
    cleanups.push(() => new Promise((resolve) => taken.close(resolve)));
    const env = { HOST: '127.0.0.1', PORT: String(port), GRPC_PORT: '0', DEBUG_PORT: '0' };
    const child = await startProcess(process.execPath, [binary, 'serve'], { env });
    expect(await child.ended).toEqual({ code: 2, signal: null });
    expect(child.lines.join('\n')).toContain('EADDRINUSE');
  });
});

async function tmp(): Promise<string> {
  return (await import('node:os')).tmpdir();
}
