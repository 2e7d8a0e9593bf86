import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { receiveStatsd } from '../../support/statsd-receiver.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rules = `
domain: shop
descriptors:
  - {key: plan, value: free, rate_limit: {unit: year, requests_per_unit: 3}}
  - key: country
    value: nl
    descriptors:
      - key: city
        descriptors:
          - {key: ip, detailed_metric: true, rate_limit: {unit: year, requests_per_unit: 100}}
          - {key: user, rate_limit: {unit: year, requests_per_unit: 100}}
  - {key: "odd:key|é", shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 0}}
`;

type Env = Readonly<Record<string, string>>;

/** Ends by SIGTERM, so that the last sending is a part of the test. */
async function startSending(port: number, env: Env): Promise<RunningWeir> {
  return startWeir({
    rules: { 'shop.yaml': rules },
    env: { BACKEND_TYPE: 'memory', STATSD_HOST: '127.0.0.1', STATSD_PORT: String(port), ...env },
  });
}

/** One call for each text, such as `plan=free`; entries are parted by commas. */
async function callAll(weir: RunningWeir, descriptors: readonly string[], domain = 'shop'): Promise<void> {
  const client = createGrpcClient(weir.address('grpc'));
  for (const descriptor of descriptors) {
    const entries = descriptor.split(',').map((pair) => {
      const [key = '', value = ''] = pair.split('=');
      return { key, value };
    });
    await client.call(shouldRateLimit, { domain, descriptors: [{ entries }] });
  }
  client.close();
}

async function linesOnPage(weir: RunningWeir, result: 'sent' | 'lost'): Promise<number> {
  const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
  return Number(new RegExp(`^weir_statsd_lines_total{result="${result}"} (\\d+)$`, 'm').exec(body)?.[1]);
}

/** Without the numbers that no two runs share. */
function golden(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/:[\d.]+\|ms/, ':_|ms')).sort();
}

const often = { STATS_FLUSH_INTERVAL: '50ms' };
const atTheEnd = { STATS_FLUSH_INTERVAL: '1h' };
const hits = 'ratelimit.service.rate_limit.shop.plan_free.total_hits';

describe.each(['tcp', 'udp'] as const)('statsd over %s', (protocol) => {
  const statsd = { USE_STATSD: 'true', STATSD_PROTOCOL: protocol };

  it('gets the names of the reference, and all that was counted', async () => {
    await using receiver = await receiveStatsd(protocol);
    await using weir = await startSending(receiver.port, { ...statsd, ...atTheEnd });
    await callAll(weir, ['plan=free', 'plan=free', 'plan=free', 'plan=free', 'odd:key|é=1', 'nobody=1']);
    await callAll(weir, ['country=nl,city=a,ip=10.0.0.1', 'country=nl,city=a,user=1'], 'shop');
    await callAll(weir, ['plan=free'], 'nowhere');
    await callAll(weir, ['plan=free'], '');
    await weir.stop();
    const place = 'ratelimit.service.rate_limit.shop';
    const expected = [
      'ratelimit.localcache.entryCount:2|g',
      'ratelimit.redis_pool.cx_active:0|g',
      'ratelimit.service.call.should_rate_limit.service_error:1|c',
      'ratelimit.service.config_load_success:1|c',
      'ratelimit.service.rate_limit.(other).domain_not_found:1|c',
      `${place}.country_nl.city_a.ip_10_0_0_1.total_hits:1|c`,
      `${place}.country_nl.city_a.ip_10_0_0_1.within_limit:1|c`,
      `${place}.country_nl.city.user.total_hits:1|c`,
      `${place}.country_nl.city.user.within_limit:1|c`,
      `${place}.odd_key__.over_limit:1|c`,
      `${place}.odd_key__.shadow_mode:1|c`,
      `${place}.odd_key__.total_hits:1|c`,
      `${place}.plan_free.near_limit:1|c`,
      `${place}.plan_free.over_limit:1|c`,
      `${place}.plan_free.total_hits:4|c`,
      `${place}.plan_free.within_limit:3|c`,
      'ratelimit_server.ShouldRateLimit.total_requests:10|c',
      ...Array.from({ length: 10 }, () => 'ratelimit_server.ShouldRateLimit.response_time:_|ms'),
    ];
    await waitUntil('the last line', () => receiver.lines.length >= expected.length);
    expect(golden(receiver.lines)).toEqual(expected.sort());
  });

  it('gets what was gained between two sendings, and nothing twice', async () => {
    await using receiver = await receiveStatsd(protocol);
    await using weir = await startSending(receiver.port, { ...statsd, ...often });
    for (const total of [2, 5, 9]) {
      const gained = total - receiver.total(hits);
      await callAll(
        weir,
        Array.from({ length: gained }, () => 'plan=free'),
      );
      await waitUntil(`${total} hits`, () => receiver.total(hits) >= total);
      expect(receiver.total(hits)).toBe(total);
    }
    await weir.stop();
    expect(receiver.total(hits)).toBe(9);
    expect(receiver.lines.filter((line) => line.includes(':0|c'))).toEqual([]);
  });

  it('has extra tags at the end of each name, in the order of their keys', async () => {
    await using receiver = await receiveStatsd(protocol);
    const tags = { EXTRA_TAGS: 'team:edge.eu,env:prod' };
    await using weir = await startSending(receiver.port, { ...statsd, ...atTheEnd, ...tags });
    await callAll(weir, ['plan=free']);
    await weir.stop();
    await waitUntil('a line', () => receiver.lines.length > 0);
    expect(receiver.lines).toContain(`${hits}.__env=prod.__team=edge_eu:1|c`);
    expect(receiver.lines.filter((line) => !/\.__env=prod\.__team=edge_eu:[^:]+$/.test(line))).toEqual([]);
  });

  it('gets lines again after it was restarted; what it missed does not come later', async () => {
    const first = await receiveStatsd(protocol);
    await using weir = await startSending(first.port, { ...statsd, ...often });
    await callAll(weir, ['plan=free']);
    await waitUntil('a first hit', () => first.total(hits) === 1);
    await first[Symbol.asyncDispose]();
    await callAll(weir, ['plan=free', 'plan=free']);
    const sent = await linesOnPage(weir, protocol === 'tcp' ? 'lost' : 'sent');
    await waitUntil('that to be gone', async () => {
      return (await linesOnPage(weir, protocol === 'tcp' ? 'lost' : 'sent')) > sent + 4;
    });
    await using second = await receiveStatsd(protocol, first.port);
    await waitUntil('a line again', () => second.lines.length > 0);
    await callAll(weir, ['plan=free']);
    await waitUntil('a hit again', () => second.total(hits) > 0);
    expect(second.total(hits)).toBe(1);
  });
});

describe('DogStatsD', () => {
  it('gets the same over UDP, with tags', async () => {
    await using receiver = await receiveStatsd('udp');
    await using weir = await startSending(receiver.port, {
      USE_DOG_STATSD: 'true',
      EXTRA_TAGS: 'env:prod,team:edge',
      ...atTheEnd,
      // The library would mark lines with these, and send them elsewhere.
      DD_ENV: 'other',
      DD_TAGS: 'a:b',
      DD_AGENT_HOST: '192.0.2.1',
      DD_ENTITY_ID: 'x',
    });
    await callAll(weir, ['plan=free', 'plan=free']);
    await weir.stop();
    await waitUntil('a line', () => receiver.lines.some((line) => line.includes('response_time')));
    expect(receiver.lines).toContain(`${hits}:2|c|#env:prod,team:edge`);
    expect(receiver.lines.filter((line) => !/\|(c|g|ms)\|#env:prod,team:edge$/.test(line))).toEqual([]);
  });
});

describe('a statsd server that is away', () => {
  it('costs one line in the log, and its lines are counted as lost', async () => {
    const port = await freePort();
    await using weir = await startSending(port, { USE_STATSD: 'true', ...often });
    await waitUntil('lines to be lost', async () => (await linesOnPage(weir, 'lost')) > 10);
    const warnings = weir.log().filter((line) => String(line['@message']).includes('statsd'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ level: 'warning', host: '127.0.0.1', port });
    expect(await linesOnPage(weir, 'sent')).toBe(0);
    expect(weir.lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    expect(await weir.stop()).toEqual({ code: 0, signal: null });
  });
});

describe('the page beside statsd', () => {
  it('still adds up what is deeper than its labels', async () => {
    await using receiver = await receiveStatsd('udp');
    await using weir = await startSending(receiver.port, { USE_DOG_STATSD: 'true', ...atTheEnd });
    await callAll(weir, ['country=nl,city=a,user=1', 'country=nl,city=b,user=1']);
    const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
    const name = 'ratelimit_service_rate_limit_total_hits{domain="shop",key1="country_nl",key2="city"}';
    expect(body.split('\n').filter((line) => line.startsWith(name))).toEqual([`${name} 2`]);
  });
});
