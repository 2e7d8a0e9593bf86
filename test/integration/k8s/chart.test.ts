import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { requireTool } from '../../support/tools.ts';
import { root } from '../repository/repository.ts';
import { render } from './render.ts';
import { problemsOf } from './validate.ts';
import { valuesMatrix } from './values-matrix.ts';

describeWithTools(['helm', 'kubernetes-validate'], 'D06: the chart', () => {
  it('has nothing that helm lint finds', async () => {
    const args = ['lint', '--strict', '--quiet', join(root, 'k8s/chart')];
    expect(await runCommand(requireTool('helm'), args)).toMatchObject({ ok: true });
  });

  it.each(Object.entries(valuesMatrix))('%s: every object is as Kubernetes takes it', async (_, values) => {
    const { objects } = await render({ values });
    expect(objects.length).toBeGreaterThan(0);
    expect(await problemsOf(objects)).toEqual([]);
  });

  it('a field that does not exist is found', async () => {
    const { find } = await render({ values: valuesMatrix['PodMonitor'] ?? {} });
    const deployment = find<{ spec: object }>('Deployment');
    const monitor = find<{ spec: object }>('PodMonitor');
    const wrong = [
      { ...deployment, spec: { ...deployment.spec, replica: 2 } },
      { ...monitor, spec: { ...monitor.spec, endpoints: [] } },
    ];
    const problems = (await problemsOf(wrong)).join('\n');
    expect(problems).toContain("'replica' was unexpected");
    expect(problems).toContain('must NOT have additional properties');
  });
});
