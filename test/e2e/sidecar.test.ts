import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';
import {
  containerOf,
  type Mounts,
  mountVolumes,
  type Pod,
  podOf,
  startContainer,
} from '../integration/k8s/pod.ts';
import { type Rendered, render } from '../integration/k8s/render.ts';
import { problemsOf } from '../integration/k8s/validate.ts';
import { root } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { startEnvoy } from '../support/start-envoy.ts';
import { withPatience } from '../support/start-stack.ts';
import { startUpstream } from '../support/start-upstream.ts';
import { requireTool } from '../support/tools.ts';

describeWithTools(['helm', 'kubernetes-validate', 'redis-server', 'envoy'], 'examples/sidecar', () => {
  let folder: string;
  let redis: RedisServer;
  let rendered: Rendered;
  let pod: Pod;
  let mounts: Mounts;
  beforeAll(async () => {
    redis = await startRedis();
    folder = await mkdtemp(join(tmpdir(), 'weir-sidecar-'));
    rendered = await renderExample(folder, { weir: { redis: { url: redis.address } } });
    pod = podOf(rendered);
    mounts = await mountVolumes(pod, containerOf(pod));
  });
  afterAll(async () => {
    await Promise.all([
      redis?.stop(),
      mounts?.[Symbol.asyncDispose](),
      rm(folder, { recursive: true, force: true }),
    ]);
  });

  it('is a pod as Kubernetes takes it, with Weir as a sidecar, and the rules beside it', async () => {
    expect(await problemsOf(rendered.objects)).toEqual([]);
    expect(rendered.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort()).toEqual([
      'ConfigMap/shop-envoy',
      'ConfigMap/shop-weir-rules',
      'Deployment/shop',
    ]);
    expect(pod.spec.initContainers).toMatchObject([{ name: 'weir', restartPolicy: 'Always' }]);
  });

  it('Envoy asks Weir over the socket of their pod', async () => {
    await using weir = await startContainer(containerOf(pod), mounts);
    await using upstream = await startUpstream();
    await using envoyFiles = await mountVolumes(pod, containerOf(pod, 'envoy'));
    await using envoy = await startEnvoy({
      bootstrap: join(envoyFiles.folder, '/etc/envoy/envoy.yaml'),
      service: weir.address('http'), // not in this bootstrap
      upstream: upstream.address,
      edit: (text) =>
        withPatience(text)
          .replaceAll('/run/weir', join(mounts.folder, '/run/weir'))
          .replace('address: 0.0.0.0', 'address: 127.0.0.1')
          .replace('port_value: 3000', `port_value: ${upstream.address.split(':').at(-1)}`),
    });
    const { status, headers } = await httpCall({ address: envoy.listener(10000), path: '/' });
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '99']);
    expect(weir.address('grpc')).toBe(join(mounts.folder, '/run/weir/weir.sock'));
    expect(await redis.client.keys('*')).toEqual(['limits/shop-weir:v1{shop|remote_address=127.0.0.1}60']);
  });
});

/** Where the chart and the example are beside each other as in the repository, so that nothing is written there. */
async function renderExample(folder: string, values: object): Promise<Rendered> {
  for (const path of ['k8s/chart', 'examples/sidecar']) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  const chart = join(folder, 'examples/sidecar');
  const built = await runCommand(requireTool('helm'), ['dependency', 'build', chart]);
  if (!built.ok) throw new Error(built.output);
  return render({ name: 'shop', chart, values });
}
