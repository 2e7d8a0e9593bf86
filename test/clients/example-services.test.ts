import { afterAll, beforeAll, expect, it } from 'vitest';
import { readText } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  type ExampleService,
  exampleServices,
  type RunningService,
  startService,
} from './example-services.ts';

const rules = {
  'api.yaml': `domain: api
descriptors:
  - {key: remote_address, rate_limit: {unit: year, requests_per_unit: 1000}}
  - {key: user, rate_limit: {unit: year, requests_per_unit: 2}}
`,
};

/** Those that docs/clients.md names. */
const named =
  /^((?:[A-Z_]+=\S+ )+)npm start$/m.exec(readText('docs/clients.md'))?.[1]?.trim().split(' ') ?? [];
const settings = Object.fromEntries(named.map((pair) => pair.split('=') as [string, string]));

for (const example of exampleServices) {
  describeWithTools(example.tools, `examples/clients/${example.name}`, () => suiteOf(example));
}

function suiteOf(example: ExampleService): void {
  const env = { BACKEND_TYPE: 'memory', ...settings };
  let weir: RunningWeir;
  /** Waits long for Weir, so that a busy machine does not turn an answer into none. */
  let patient: RunningService;
  /** As the examples are: 20 ms, and requests without an answer pass, or do not. */
  let open: RunningService;
  let closed: RunningService;
  beforeAll(async () => {
    weir = await startWeir({ rules, env });
    const WEIR = weir.address('grpc');
    patient = await startService(example, { WEIR, DEADLINE_MS: '10000' });
    open = await startService(example, { WEIR });
    closed = await startService(example, { WEIR, FAIL_CLOSED: 'true' });
  });
  afterAll(async () => {
    await Promise.all([patient, open, closed, weir].map((process) => process?.stop()));
  });

  const get = ({ address }: RunningService, user?: string) =>
    httpCall({ address, path: '/', headers: user === undefined ? {} : { 'x-user-id': user } });

  it('a request that may pass is served, with the tighter limit in its headers', async () => {
    expect(await get(patient, 'ann')).toMatchObject({
      status: 200,
      body: 'hello',
      headers: {
        'x-ratelimit-limit': '2',
        'x-ratelimit-remaining': '1',
        'x-ratelimit-reset': expect.stringMatching(/^[1-9]\d*$/),
      },
    });
    expect(await get(patient)).toMatchObject({ status: 200, headers: { 'x-ratelimit-limit': '1000' } });
  });

  it.each([
    ['any', 'bob'],
    ['one whose octets are no text', '\xff\xfe'],
  ])('a request over the limit gets 429, Retry-After and JSON: %s user', async (_what, user) => {
    for (let i = 0; i < 2; i++) expect((await get(patient, user)).status).toBe(200);
    const { status, headers, body } = await get(patient, user);
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'retry-after': headers['x-ratelimit-reset'],
      'content-type': expect.stringMatching(/^application\/json/),
    });
    const seconds = Number(headers['retry-after']);
    expect(JSON.parse(body)).toEqual({
      error: 'rate_limit_exceeded',
      message: `Rate limit exceeded. Try again in ${seconds} s.`,
      limit: 2,
      window_seconds: 31_536_000,
      retry_after: seconds,
    });
  });

  async function expectOpenAndClosed(): Promise<void> {
    const passed = await get(open, 'carl');
    expect(passed).toMatchObject({ status: 200, body: 'hello' });
    expect(passed.headers).not.toHaveProperty('x-ratelimit-limit');
    expect(await get(closed, 'carl')).toMatchObject({ status: 503, body: 'rate limits cannot be checked\n' });
  }

  async function untilAsked(): Promise<void> {
    for (const service of [open, closed]) {
      await waitUntil('an answer in time', async () => 'x-ratelimit-limit' in (await get(service)).headers);
    }
  }

  it('Weir hangs: requests do not wait for it, and pass, or get 503', async () => {
    await untilAsked();
    weir.signal('SIGSTOP');
    await expectOpenAndClosed();
    weir.signal('SIGCONT');
    await untilAsked();
  });

  it('Weir is gone: the same, until it is back', async () => {
    const GRPC_PORT = weir.address('grpc').split(':').at(-1) ?? '';
    await weir.stop();
    await expectOpenAndClosed();
    weir = await startWeir({ rules, env: { ...env, GRPC_PORT } });
    await untilAsked();
  });
}
