import { expect, it, onTestFinished } from 'vitest';
import { RateLimitConfig, RateLimitUnit } from '../../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type GoAdsServer, type GoAdsServerOptions, startGoAdsServer } from '../../support/go-ads-server.ts';
import { createGrpcClient, type GrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import type { RunningWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startWeirOnXds } from './start-weir-on-xds.ts';

type Config = Parameters<typeof RateLimitConfig.fromPartial>[0];

function config(domain: string, requestsPerUnit: number, key = 'ip'): RateLimitConfig {
  const rateLimit = { unit: RateLimitUnit.HOUR, requestsPerUnit };
  return RateLimitConfig.fromPartial({ name: domain, domain, descriptors: [{ key, rateLimit }] });
}

async function startServer(options?: GoAdsServerOptions): Promise<GoAdsServer> {
  const server = await startGoAdsServer(options);
  onTestFinished(() => void server.stop());
  return server;
}

const pageOf = async (weir: RunningWeir) =>
  (await httpCall({ address: weir.address('debug'), path: '/rlconfig' })).body;

async function metricsOf(weir: RunningWeir): Promise<string> {
  return (await httpCall({ address: weir.address('http'), path: '/metrics' })).body;
}

function clientOf(weir: RunningWeir): GrpcClient {
  const client = createGrpcClient(weir.address('grpc'));
  onTestFinished(() => client.close());
  return client;
}

const oneHit = (domain: string, key: string, value: string) => ({
  domain,
  descriptors: [{ entries: [{ key, value }] }],
});

describeWithTools(['ads-server'], 'with the control plane of go-control-plane, Weir', () => {
  it('takes the first set, changes, and removals', async () => {
    const server = await startServer();
    await server.set('1', [config('shop', 1), config('blog', 2)]);
    const weir = await startWeirOnXds(server.address);
    await server.untilAccepted('1');
    expect(await pageOf(weir)).toMatch(
      /^blog\.ip: .*requests_per_unit=2.*\nshop\.ip: .*requests_per_unit=1,/,
    );
    const client = clientOf(weir);
    const codes = [];
    for (let call = 0; call < 2; call += 1) {
      codes.push(await client.call(shouldRateLimit, oneHit('shop', 'ip', 'x')));
    }
    expect(codes).toMatchObject([
      { response: { overallCode: 'OK' } },
      { response: { overallCode: 'OVER_LIMIT' } },
    ]);
    await server.set('2', [config('shop', 7)]);
    await server.untilAccepted('2');
    expect(await pageOf(weir)).toMatch(/^shop\.ip: .*requests_per_unit=7,[^\n]*\n$/);
    await server.set('3', []);
    await server.untilAccepted('3');
    expect(await pageOf(weir)).toBe('');
  });

  it('refuses a bad set in words that the server gets, keeps the last good one, and recovers', async () => {
    const server = await startServer();
    await server.set('1', [config('shop', 1)]);
    const weir = await startWeirOnXds(server.address);
    await server.untilAccepted('1');
    await server.set('2', [config('shop', 9), config('blog', 1, '')]);
    expect(await server.refusalOf('2')).toBe(
      "resource 'blog', descriptors[0]: a rule needs a 'key' [empty-key]",
    );
    expect((await server.requests()).at(-1)).toMatchObject({ version: '1', code: 3 });
    expect(await pageOf(weir)).toMatch(/^shop\.ip: .*requests_per_unit=1,/);
    const metrics = await metricsOf(weir);
    expect(metrics).toContain('weir_config_last_load_ok 0');
    expect(metrics).toMatch(/weir_config_source_nacks_total [1-9]/);
    expect(weir.log()).toContainEqual(
      expect.objectContaining({ code: 'empty-key', file: "resource 'blog'", path: 'descriptors[0]' }),
    );
    // This server sends what was refused again, at once; that is no reason to do nothing else.
    expect((await server.requests()).length).toBeLessThan(10);
    await server.set('3', [config('shop', 9)]);
    await server.untilAccepted('3');
    expect(await metricsOf(weir)).toContain('weir_config_last_load_ok 1');
  });

  it('C10: loses nothing of a rule that the messages of go-control-plane do not know', async () => {
    const server = await startServer();
    const metadata = { team: 'a', order: 7 };
    const shared = {
      key: 'path',
      value: '/v1/*',
      shareThreshold: true,
      valueToMetric: true,
      quotaMode: false,
      metadata,
      rateLimit: { window: '3600s', requestsPerUnit: 1 },
    };
    await server.set('1', [
      RateLimitConfig.fromPartial({ name: 'shop', domain: 'shop', descriptors: [shared] }),
    ]);
    const weir = await startWeirOnXds(server.address, { env: { RESPONSE_DYNAMIC_METADATA: 'true' } });
    const client = clientOf(weir);
    const first = await client.call(shouldRateLimit, oneHit('shop', 'path', '/v1/a'));
    const second = await client.call(shouldRateLimit, oneHit('shop', 'path', '/v1/b'));
    // One counter for both values, and the value in the labels of its series.
    expect([first, second]).toMatchObject([
      { response: { overallCode: 'OK' } },
      { response: { overallCode: 'OVER_LIMIT' } },
    ]);
    expect(JSON.stringify(first)).toContain('team');
    expect(await metricsOf(weir)).toMatch(/total_hits\{domain="shop",key1="path_\/v1\/[^"]*"\} 2/);
  });

  it('is known to it by its id and metadata', async () => {
    const server = await startServer({ node: 'edge-7' });
    await server.set('1', [config('shop', 1)]);
    await startWeirOnXds(server.address, {
      env: { CONFIG_GRPC_XDS_NODE_ID: 'edge-7', CONFIG_GRPC_XDS_NODE_METADATA: 'zone=a,tier=x=y' },
    });
    expect((await server.requests())[0]).toMatchObject({
      node: 'edge-7',
      metadata: { zone: 'a', tier: 'x=y' },
    });
  });

  it('goes on while it is away, and takes a version that was there before when it is back', async () => {
    const first = await startGoAdsServer();
    await first.set('1', [config('shop', 1)]);
    const weir = await startWeirOnXds(first.address);
    await first.stop();
    await waitUntil('the loss', async () =>
      /weir_config_source_connected{source="xds"} 0/.test(await metricsOf(weir)),
    );
    expect(await clientOf(weir).call(shouldRateLimit, oneHit('shop', 'ip', 'y'))).toMatchObject({
      response: { overallCode: 'OK' },
    });
    const second = await startServer({ port: first.port });
    await second.set('1', [config('shop', 5)]);
    await second.untilAccepted('1');
    expect(await pageOf(weir)).toMatch(/requests_per_unit=5,/);
    const lost = weir
      .log()
      .filter(({ '@message': text }) => /xDS server (cannot|has)|stream of the xDS/.test(String(text)));
    // One line for each reason, however many tries there were.
    expect(new Set(lost.map(({ reason }) => reason)).size).toBe(lost.length);
  });

  it('R07: decides while it loads 60,000 descriptors in one update', async () => {
    const server = await startServer();
    await server.set('1', [config('steady', 4_000_000_000)]);
    const weir = await startWeirOnXds(server.address);
    const client = clientOf(weir);
    const descriptors = Array.from({ length: 60_000 }, (_, index) => ({
      key: 'customer',
      value: `number-${index}-with-a-name-of-some-length-so-that-it-is-large`,
      rateLimit: { unit: RateLimitUnit.MINUTE, requestsPerUnit: index },
    })) as NonNullable<Config['descriptors']>;
    const large = RateLimitConfig.fromPartial({ name: 'large', domain: 'large', descriptors });
    expect(RateLimitConfig.encode(large).finish().length).toBeGreaterThan(4 * 1024 * 1024);
    await server.set('2', [config('steady', 4_000_000_000), large]);
    let isLoading = true;
    const loaded = server.untilAccepted('2', 50_000).finally(() => {
      isLoading = false;
    });
    const answers = [];
    while (isLoading) answers.push(await client.call(shouldRateLimit, oneHit('steady', 'ip', 'x')));
    await loaded;
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.filter((one) => !('response' in one))).toEqual([]);
    expect(await metricsOf(weir)).toContain('weir_config_rules 60001');
  });
});
