import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { freePort } from '../../support/free-port.ts';
import { httpCall } from '../../support/http-call.ts';
import { startProcess } from '../../support/start-process.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { callWeir, readiness, requestOf, statusOf } from './call-weir.ts';

const binary = fileURLToPath(new URL('../../../bin/weir.js', import.meta.url));
const rules = { 'shop.yaml': `${baseRules}  - {key: none, rate_limit: {unit: day, requests_per_unit: 0}}\n` };
const broken = { 'shop.yaml': 'domain: ""' };

async function start(options: Partial<Parameters<typeof startWeir>[0]> = {}): Promise<RunningWeir> {
  const weir = await startWeir({ rules, ...options, env: { BACKEND_TYPE: 'memory', ...options.env } });
  onTestFinished(async () => void (await weir.stop()));
  return weir;
}

async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'weir-settings-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function postJson(weir: RunningWeir, body: string) {
  return httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
}

/** Until the rules were read, well or badly. */
function untilLoaded(weir: RunningWeir): Promise<unknown> {
  return waitUntil('a load of the rules', () =>
    weir.log().find((line) => /^configuration (loaded|rejected)/.test(String(line['@message']))),
  );
}

describe('answers', () => {
  let plain: RunningWeir;
  beforeAll(async () => {
    plain = await startWeir({ rules, env: { BACKEND_TYPE: 'memory' } });
  });
  afterAll(() => plain?.stop());

  const long = 'x'.repeat(1_000);
  const ok = { response: { overallCode: 'OK' } };
  const refused = { status: 'INVALID_ARGUMENT' };
  const without = (field: string) => ({
    response: expect.not.objectContaining({ [field]: expect.anything() }),
  });
  const body = expect.toSatisfy((base64: string) =>
    Buffer.from(base64, 'base64').toString().startsWith('{"error":"rate_limit_exceeded",'),
  );
  const header = (key: string) => ({
    response: {
      responseHeadersToAdd: expect.arrayContaining([expect.objectContaining({ key, value: '0' })]),
    },
  });
  const headers = { LIMIT_RESPONSE_HEADERS_ENABLED: 'true' };
  const otherStyle = { ...headers, LIMIT_RESPONSE_HEADERS_STYLE: 'x-ratelimit' };
  const noHeaders = without('responseHeadersToAdd');

  const rows = [
    [{ MAX_DESCRIPTORS: '1' }, ['ip=a', 'ip=b'], refused, ok],
    [{ MAX_ENTRIES: '1' }, ['ip=a,ip=b'], refused, ok],
    [{ MAX_MESSAGE_SIZE: '1000' }, [`ip=${long}`], { status: 'RESOURCE_EXHAUSTED' }, ok],
    [{ DENIAL_BODY: 'json' }, ['none=x'], { response: { rawBody: body } }, without('rawBody')],
    [headers, ['none=x'], header('RateLimit-Limit'), noHeaders],
    [otherStyle, ['none=x'], header('X-RateLimit-Limit'), noHeaders],
  ] as const;
  const named = rows.map(
    (row) =>
      [
        Object.entries(row[0])
          .map((variable) => variable.join('='))
          .join(' '),
        ...row,
      ] as const,
  );

  it.each(named)('%s', async (_, env, descriptors, answer, answerWithout) => {
    const weir = await start({ env });
    expect(await callWeir(weir, ...descriptors)).toMatchObject(answer);
    expect(await callWeir(plain, ...descriptors)).toMatchObject(answerWithout);
  });

  it('MAX_MESSAGE_SIZE is for /json as well', async () => {
    const weir = await start({ env: { MAX_MESSAGE_SIZE: '1000' } });
    expect((await postJson(weir, JSON.stringify(requestOf(`ip=${long}`)))).status).toBe(413);
    expect((await postJson(weir, JSON.stringify(requestOf('ip=a')))).status).toBe(200);
  });
});

describe('readiness', () => {
  it.each([
    ['HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED', {}, 'true', 'not ready: config'],
    ['HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED', {}, 'false', 'OK'],
    ['HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED', rules, 'true', 'OK'],
    ['FORCE_START_WITHOUT_INITIAL_CONFIG', broken, 'true', 'OK'],
    ['FORCE_START_WITHOUT_INITIAL_CONFIG', broken, 'false', 'not ready: config'],
  ])('%s with the rules %o, when %s: %s', async (variable, files, value, said) => {
    const weir = await start({ rules: files, env: { [variable]: value }, untilReady: false });
    await untilLoaded(weir);
    await waitUntil(said, async () => (await readiness(weir)) === said);
  });

  it.each([
    ['1ms', 'OK'],
    ['10m', 'not ready: store'],
  ])('STORE_WAIT=%s, and no Redis: %s', async (wait, said) => {
    const env = { BACKEND_TYPE: 'redis', REDIS_URL: '127.0.0.1:1', STORE_WAIT: wait };
    const weir = await start({ env, untilReady: false });
    await waitUntil(said, async () => (await readiness(weir)) === said);
  });
});

describe('listeners', () => {
  it('GRPC_UDS: gRPC is on a unix socket', async () => {
    const path = join(await temporaryDirectory(), 'weir.sock');
    const weir = await start({ env: { GRPC_UDS: path } });
    expect(weir.address('grpc')).toBe(path);
    expect(await callWeir(weir, 'ip=a')).toMatchObject({ response: { overallCode: 'OK' } });
  });

  it.each([
    ['', '127.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
  ])('DEBUG_HOST=%s: /rlconfig is on %s', async (host, bound) => {
    const weir = await start({ env: { DEBUG_HOST: host } });
    const [address, port] = weir.address('debug').split(':');
    expect(address).toBe(bound);
    const { body } = await httpCall({ address: `127.0.0.1:${port}`, path: '/rlconfig' });
    expect(body).toContain('shop.plan_free');
  });

  it('PROMETHEUS_ADDR and PROMETHEUS_PATH: metrics once more', async () => {
    const port = await freePort();
    const weir = await start({ env: { PROMETHEUS_ADDR: `127.0.0.1:${port}`, PROMETHEUS_PATH: '/stats' } });
    expect(weir.address('metrics')).toBe(`127.0.0.1:${port}`);
    expect(await statusOf(`127.0.0.1:${port}`, '/stats')).toBe(200);
    expect(await statusOf(`127.0.0.1:${port}`, '/metrics')).toBe(404);
    expect(await statusOf(weir.address('http'), '/metrics')).toBe(200);
  });

  it('GRPC_MAX_CONNECTION_AGE: a connection gets GOAWAY, without an error', async () => {
    const weir = await start({ env: { GRPC_MAX_CONNECTION_AGE: '1s' } });
    const session = http2.connect(`http://${weir.address('grpc')}`);
    onTestFinished(() => session.destroy());
    const codes: number[] = [];
    session.on('goaway', (code) => codes.push(code));
    await waitUntil('GOAWAY', () => codes.length > 0);
    expect(new Set(codes)).toEqual(new Set([http2.constants.NGHTTP2_NO_ERROR]));
  });
});

describe('the log', () => {
  async function linesOf(env: Record<string, string>): Promise<readonly string[]> {
    const ports = { HOST: '127.0.0.1', PORT: '0', GRPC_HOST: '127.0.0.1', GRPC_PORT: '0', DEBUG_PORT: '0' };
    const all = { ...ports, RUNTIME_ROOT: await temporaryDirectory(), DRAIN_DELAY: '0s', ...env };
    await using weir = await startProcess(process.execPath, [binary, 'serve'], { env: all });
    await waitUntil('the start', () => weir.lines.some((line) => line.includes('started')));
    return [...weir.lines];
  }

  it('LOG_FORMAT=text: a readable line', async () => {
    const lines = await linesOf({ LOG_FORMAT: 'text' });
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z (INFO|WARNING|ERROR) /);
    expect(lines).toContainEqual(
      expect.stringMatching(/ INFO +listening listener=grpc address=127\.0\.0\.1:\d+$/),
    );
  });

  it.each(['error', 'fatal'])(
    'LOG_LEVEL=%s: still what was started, and with which settings',
    async (level) => {
      const lines = await linesOf({ LOG_LEVEL: level, REDIS_POOL_SIZE: '5', BACKEND_TYPE: 'memory' });
      const told = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'info');
      expect(told).toEqual([
        expect.objectContaining({
          '@message': 'settings in force',
          settings: expect.objectContaining({ LOG_LEVEL: level, DEBUG_HOST: '127.0.0.1' }),
        }),
        expect.objectContaining({
          '@message': 'started',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          grpc: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          http: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          debug: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        }),
      ]);
      expect(lines.join('\n')).not.toContain('REDIS_POOL_SIZE');
    },
  );
});
