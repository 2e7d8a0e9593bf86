import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/settings/read-settings.ts';
import {
  containerOf,
  environmentOf,
  type Mounts,
  mountVolumes,
  podOf,
  startContainer,
} from '../integration/k8s/pod.ts';
import { readObjects } from '../integration/k8s/render.ts';
import { problemsOf } from '../integration/k8s/validate.ts';
import { codeBlocks, readText } from '../integration/repository/repository.ts';
import { describeUnless, describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { withPatience } from '../support/start-stack.ts';
import { startUpstream, type Upstream } from '../support/start-upstream.ts';
import type { RunningWeir } from '../support/start-weir.ts';
import { reasonToSkip } from '../support/tools.ts';
import { connectionManagerOf, hostOf, startExample, weirClusterOf } from './example-envoy.ts';

const service = readObjects(readText('examples/istio/rate-limit-service.yaml'));
const filters = readObjects(withPatience(readText('examples/istio/envoy-filters.yaml')));
const pod = podOf(service, 'ratelimit');
const container = containerOf(pod, 'ratelimit');

/** Of Istio's sample Deployment of the reference, as it is. */
const sampleEnv = {
  LOG_LEVEL: 'debug',
  REDIS_SOCKET_TYPE: 'tcp',
  REDIS_URL: 'redis:6379',
  USE_STATSD: 'false',
  RUNTIME_ROOT: '/data',
  RUNTIME_SUBDIRECTORY: 'ratelimit',
  RUNTIME_WATCH_ROOT: 'false',
  RUNTIME_IGNOREDOTFILES: 'true',
  HOST: '::',
  GRPC_HOST: '::',
};

describe("examples/istio has what Istio's sample has", () => {
  it('command and variables', () => {
    expect(container.command).toEqual(['/bin/ratelimit']);
    expect(environmentOf(container)).toEqual(sampleEnv);
  });

  it('one warning, which docs/istio.md names, and the rules where they are mounted', () => {
    const read = readSettings(sampleEnv);
    const directory = container.volumeMounts?.[0]?.mountPath;
    expect(read).toMatchObject({ settings: { config: { directory }, store: { kind: 'redis' } } });
    expect(read.warnings.map(({ variable }) => variable)).toEqual(['RUNTIME_WATCH_ROOT']);
  });

  it('time to drain', () => {
    const read = readSettings(sampleEnv);
    const graceMs = (pod.spec.terminationGracePeriodSeconds ?? 0) * 1000;
    expect(graceMs).toBeGreaterThan('settings' in read ? read.settings.drain.timeoutMs : Infinity);
  });
});

/** A patch of docs/istio.md, as an EnvoyFilter has it. */
interface Patch {
  readonly patch: { readonly value: { readonly rate_limits: object[] } };
}

const [pagePatch] = codeBlocks(readText('docs/istio.md'), 'yaml').flatMap((text) => parse(text) as Patch[]);

describeWithTools(['kubernetes-validate'], 'examples/istio', () => {
  it('is as Kubernetes and Istio take it', async () => {
    expect(await problemsOf([...service.objects, ...filters.objects])).toEqual([]);
  });

  it('and so is the patch of docs/istio.md', async () => {
    const filter = filters.find<EnvoyFilter>('EnvoyFilter', 'filter-ratelimit-svc');
    const patched = { ...filter, spec: { configPatches: [pagePatch] } };
    expect(await problemsOf([patched])).toEqual([]);
  });
});

const noIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ family }) => family === 'IPv6'),
)
  ? undefined
  : 'the machine has no IPv6, and Istio has Weir listen on ::';

describeUnless(reasonToSkip(['envoy', 'redis-server']) ?? noIpv6, 'examples/istio, in an Envoy', () => {
  let redis: RedisServer;
  let upstream: Upstream;
  let mounts: Mounts;
  let weir: RunningWeir;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    [redis, upstream] = await Promise.all([startRedis(), startUpstream()]);
    mounts = await mountVolumes(pod, container);
    const env =
      container.env?.map((it) => (it.name === 'REDIS_URL' ? { ...it, value: redis.address } : it)) ?? [];
    weir = await startContainer({ ...container, env }, mounts);
    envoy = await startGateway(weir, upstream);
  });
  afterAll(async () => {
    await Promise.all([envoy?.stop(), weir?.stop(), upstream?.stop(), redis?.stop()]);
    await mounts?.[Symbol.asyncDispose]();
  });

  it('a path has the limit of its rule, and another that of all paths', async () => {
    expect(await limitOf('/productpage')).toEqual([200, '5, 5;w=60;name="productpage"']);
    expect(await limitOf('/other')).toEqual([200, '100, 100;w=60;name="path"']);
  });

  it('a group of paths has a limit of its own besides', async () => {
    expect(await limitOf('/api/orders')).toEqual([200, '20, 100;w=60;name="path", 20;w=60;name="api"']);
  });

  it('Weir listens on :: and counts in Redis', async () => {
    expect(weir.address('grpc')).toMatch(/^\[::\]:\d+$/);
    expect(await redis.client.keys('*')).toContain('v1{ratelimit|PATH=/productpage}60');
  });

  async function limitOf(path: string): Promise<readonly unknown[]> {
    const { status, headers } = await httpCall({ address: envoy.listener(10000), path });
    return [status, headers['x-ratelimit-limit']];
  }
});

interface EnvoyFilter {
  readonly spec: { readonly configPatches: readonly [{ readonly patch: { readonly value: object } }] };
}

/** What an EnvoyFilter puts into Envoy. */
function patchOf(name: string): object {
  return filters.find<EnvoyFilter>('EnvoyFilter', name).spec.configPatches[0].patch.value;
}

/** An Envoy with the filter before the router and the actions at its host, as Istio's gateway would have them. */
function startGateway(weir: RunningWeir, upstream: Upstream): Promise<RunningEnvoy> {
  return startExample({ weir, upstream }, (bootstrap) => {
    connectionManagerOf(bootstrap).http_filters[0] = patchOf('filter-ratelimit');
    const { rate_limits } = patchOf('filter-ratelimit-svc') as Patch['patch']['value'];
    Object.assign(hostOf(bootstrap), {
      routes: [{ match: { prefix: '/' }, route: { cluster: 'service' } }],
      // MERGE is that of protobuf: lists are joined.
      rate_limits: [...rate_limits, ...(pagePatch?.patch.value.rate_limits ?? [])],
    });
    weirClusterOf(bootstrap).name = 'outbound|8081||ratelimit.default.svc.cluster.local';
  });
}
