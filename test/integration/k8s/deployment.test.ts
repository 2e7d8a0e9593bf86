import { expect, it } from 'vitest';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { variableNames } from '../../../src/settings/variables.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { containerOf, environmentOf, type PodSpec, podOf } from './pod.ts';
import { type Rendered, render } from './render.ts';
import { valuesMatrix } from './values-matrix.ts';

const cluster = {
  data: { redis: { address: 'redis:6379' }, debug: { token: 'a-token-of-32-characters-or-more' } },
};
const redis = { store: 'redis', redis: { url: 'redis:6379' } };

interface DeploymentSpec {
  readonly spec: { readonly replicas?: number; readonly template: { readonly spec: PodSpec } };
}

function replicasOf({ find }: Rendered): number | undefined {
  return find<DeploymentSpec>('Deployment').spec.replicas;
}

function kindsOf({ objects }: Rendered): string[] {
  return objects.map(({ kind }) => kind).sort();
}

const deployments = Object.entries(valuesMatrix).filter(([, values]) => !('form' in values));

describeWithTools(['helm'], 'the Deployment of the chart', () => {
  it.each(deployments)('%s: Weir takes its environment without a warning', async (_, values) => {
    const env = environmentOf(containerOf(podOf(await render({ values }))), cluster);
    expect(Object.keys(env).filter((name) => !(variableNames as readonly string[]).includes(name))).toEqual(
      [],
    );
    expect(readSettings(env)).toMatchObject({ settings: {}, warnings: [] });
  });

  it.each(deployments)('%s: Kubernetes waits for longer than Weir drains', async (_, values) => {
    const pod = podOf(await render({ values }));
    const { DRAIN_DELAY, DRAIN_DEADLINE } = environmentOf(containerOf(pod), cluster);
    const read = readSettings({ DRAIN_DELAY, DRAIN_DEADLINE });
    if (!('settings' in read)) throw new Error(JSON.stringify(read.errors));
    const graceMs = (pod.spec.terminationGracePeriodSeconds ?? 0) * 1000;
    expect(graceMs).toBeGreaterThan(read.settings.drain.timeoutMs);
  });

  it('is one pod in memory and two with Redis; with an autoscaler, as many as that says', async () => {
    const memory = await render();
    expect([replicasOf(memory), kindsOf(memory)]).toEqual([
      1,
      ['ConfigMap', 'Deployment', 'Service', 'ServiceAccount'],
    ]);
    const two = await render({ values: redis });
    expect([replicasOf(two), kindsOf(two)]).toEqual([2, [...kindsOf(memory), 'PodDisruptionBudget'].sort()]);
    const scaled = await render({ values: { ...redis, autoscaling: { enabled: true } } });
    expect(replicasOf(scaled)).toBeUndefined();
    expect(kindsOf(scaled)).toContain('HorizontalPodAutoscaler');
  });

  it('a change of the rules leaves the pods as they are', async () => {
    const [one, two] = await Promise.all(
      ['a', 'b'].map((domain) =>
        render({ values: { config: { rules: { 'a.yaml': `domain: ${domain}\n` } } } }),
      ),
    );
    expect(one?.text).not.toBe(two?.text);
    expect(one?.find('Deployment')).toEqual(two?.find('Deployment'));
  });

  it.each(['a: 1', '\n  a: 1\n', 'a: "\tb"\r\n\n', 'n: 1000000 # {{ x }}\n'])(
    'rules arrive octet by octet: %j',
    async (text) => {
      const { find } = await render({ values: { config: { rules: { 'a.yaml': text } } } });
      expect(find<{ data: object }>('ConfigMap').data).toEqual({ 'a.yaml': text });
    },
  );

  it('xDS goes out on the port of its server', async () => {
    const xds = { enabled: true, serverUrl: 'control:18001' };
    const { find } = await render({ values: { config: { xds }, networkPolicy: { enabled: true } } });
    const { egress } = find<{ spec: { egress: object[] } }>('NetworkPolicy').spec;
    expect(egress[1]).toEqual({ ports: [{ protocol: 'TCP', port: 18001 }] });
  });

  it('D06: names and labels of two releases in a namespace are different, and each finds its own pods', async () => {
    const [blue, green] = await Promise.all(['blue', 'green'].map((name) => render({ name, values: redis })));
    const names = (rendered?: Rendered) =>
      rendered?.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(names(blue)?.filter((name) => names(green)?.includes(name))).toEqual([]);
    const selector = (rendered?: Rendered) =>
      rendered?.find<{ spec: { selector: object } }>('Service').spec.selector;
    expect(selector(blue)).not.toEqual(selector(green));
  });

  it("a certificate of cert-manager's is for every name of the Services", async () => {
    const { find } = await render({ values: valuesMatrix['mutual TLS by cert-manager'] ?? {} });
    expect(find<{ spec: { dnsNames: string[] } }>('Certificate').spec.dnsNames).toEqual(
      ['weir', 'weir-headless'].flatMap((name) => [
        name,
        `${name}.limits`,
        `${name}.limits.svc`,
        `${name}.limits.svc.cluster.local`,
      ]),
    );
  });
});
