import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGrpcClient, type GrpcAnswer, shouldRateLimit } from '../support/grpc-client.ts';
import { httpCall } from '../support/http-call.ts';
import { startRedis } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { openRules, serve } from './serve.ts';
import { writeRules } from './written-rules.ts';

/** What callers send on purpose, and what may not be seen. */
export const securityFaults: readonly Fault[] = [
  {
    id: 'X01',
    title: 'Limits of requests without a unit, with an undefined one, and of 0',
    tools: [],
    run: takesOddOverrides,
  },
  {
    id: 'X04',
    title: 'A key is to be poisoned with addends of 2^64-1',
    tools: ['redis-server'],
    run: cannotBePoisoned,
  },
  {
    id: 'X05',
    title: 'Redis has a password, which is then wrong; everything is logged',
    tools: ['redis-server'],
    run: keepsPasswords,
  },
  {
    id: 'X06',
    title: 'The debug listener, as it is by default',
    tools: [],
    run: keepsToItself,
  },
  {
    id: 'K03',
    title: "A rule's period changes, and requests bring limits of two periods",
    tools: ['redis-server'],
    run: keepsPeriodsApart,
  },
];

type Ask = (descriptor: object) => Promise<GrpcAnswer>;

async function asking<T>(weir: RunningWeir, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = createGrpcClient(weir.address('grpc'));
  try {
    return await work((descriptor) =>
      client.call(shouldRateLimit, { domain: 'shop', descriptors: [descriptor] }),
    );
  } finally {
    client.close();
  }
}

const ip = (value: string) => ({ entries: [{ key: 'ip', value }] });

/** The overall code, or the status. */
function resultOf(answer: GrpcAnswer): string {
  return 'response' in answer ? String(answer.response['overallCode']) : answer.status;
}

function remainingOf(answer: GrpcAnswer): number {
  if (!('response' in answer)) return Number.NaN;
  return (answer.response['statuses'] as { limitRemaining: number }[])[0]?.limitRemaining ?? Number.NaN;
}

async function takesOddOverrides(): Promise<FaultReport> {
  await using weir = await startWeir({ rules: openRules, env: { BACKEND_TYPE: 'memory' } });
  const { hold, broken } = expectations();
  const limits = [
    [{ requestsPerUnit: 5, unit: 0 }, 'INVALID_ARGUMENT'],
    [{ requestsPerUnit: 5, unit: 99 }, 'INVALID_ARGUMENT'],
    [{ requestsPerUnit: 0, unit: 'MINUTE' }, 'OVER_LIMIT'],
    [{ requestsPerUnit: 5, unit: 'MINUTE' }, 'OK'],
  ] as const;
  await asking(weir, async (ask) => {
    for (const [limit, expected] of limits) {
      const result = resultOf(await ask({ ...ip('1'), limit }));
      hold(result === expected, `${JSON.stringify(limit)} gave ${result}`);
    }
  });
  hold(weir.exit === undefined, 'the service ended');
  return { broken, note: 'INVALID_ARGUMENT twice, OVER_LIMIT, OK' };
}

async function cannotBePoisoned(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using weir = await serve({ REDIS_URL: redis.address, STORE_TIMEOUT: '1s' });
  const { hold, broken } = expectations();
  const results = await asking(weir, async (ask) => {
    const addends = ['9223372036854775807', '18446744073709551615', '1', '18446744073709551615', '1'];
    const all: string[] = [];
    for (const value of addends) all.push(resultOf(await ask({ ...ip('p'), hitsAddend: { value } })));
    return all;
  });
  hold(
    results.every((result) => result === 'OVER_LIMIT'),
    results.join(', '),
  );
  return { broken, note: results.join(', ') };
}

async function keepsPasswords(): Promise<FaultReport> {
  const secret = 'hunter2-s3cr3t';
  await using redis = await startRedis({ password: secret });
  const { hold, broken } = expectations();
  let octets = 0;
  for (const password of [secret, `${secret}-wrong`]) {
    await using weir = await serve({
      REDIS_URL: `redis://:${password}@${redis.address}`,
      LOG_LEVEL: 'trace',
      STORE_WAIT: '300ms',
    });
    await asking(weir, (ask) => ask(ip('x')));
    const pages = await Promise.all(
      [
        { address: weir.address('http'), path: '/metrics' },
        { address: weir.address('debug'), path: '/rlconfig' },
        { address: weir.address('debug'), path: '/' },
      ].map(async (page) => (await httpCall(page)).body),
    );
    const seen = [...pages, ...weir.lines].join('\n');
    octets += seen.length;
    hold(!seen.includes(secret), 'the password was seen');
  }
  return { broken, note: `not in ${octets} characters of logs and pages` };
}

async function keepsToItself(): Promise<FaultReport> {
  await using weir = await startWeir({
    rules: openRules,
    env: { BACKEND_TYPE: 'memory', DEBUG_HOST: '' },
  });
  const { hold, broken } = expectations();
  const address = weir.address('debug');
  const answer = await httpCall({
    address,
    path: '/rlconfig',
    headers: { origin: 'https://elsewhere.example' },
  });
  hold(answer.headers['access-control-allow-origin'] === undefined, 'a page of another origin may read it');
  for (const path of ['/debug/pprof', '/stats', '/reset', '/debug/vars']) {
    const { status } = await httpCall({ address, path });
    hold(status === 404, `${path} answers ${status}`);
  }
  return { broken, note: `no CORS, no profiling, no reset; ${address}` };
}

async function keepsPeriodsApart(): Promise<FaultReport> {
  await using redis = await startRedis();
  const file = (unit: string) =>
    `domain: shop\ndescriptors:\n  - {key: ip, rate_limit: {unit: ${unit}, requests_per_unit: 10}}\n`;
  await using rules = await writeRules({ 'shop.yaml': file('day') });
  await using weir = await startWeir({
    rules: rules.directory,
    env: { REDIS_URL: redis.address, STORE_TIMEOUT: '1s' },
  });
  const { hold, broken } = expectations();
  await asking(weir, async (ask) => {
    for (let call = 0; call < 3; call += 1) await ask(ip('u'));
    await writeFile(join(rules.directory, 'shop.yaml'), file('year'));
    const page = { address: weir.address('debug'), path: '/rlconfig' };
    await waitUntil('the other period', async () => (await httpCall(page)).body.includes('unit=YEAR'));
    const left = remainingOf(await ask(ip('u')));
    hold(left === 9, `after the change ${left} remain`);
    for (const unit of ['DAY', 'YEAR']) {
      const own = remainingOf(await ask({ ...ip('w'), limit: { requestsPerUnit: 5, unit } }));
      hold(own === 4, `of a limit for a ${unit} ${own} remain`);
    }
  });
  return { broken, note: 'each period has a counter of its own' };
}
