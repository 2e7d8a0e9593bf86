import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { httpCall } from '../../support/http-call.ts';
import { root } from '../repository/repository.ts';
import { containerOf, mountVolumes, podOf, startContainer } from './pod.ts';
import { type Rendered, render } from './render.ts';
import { valuesMatrix } from './values-matrix.ts';

/** The chart with its notes as an object: without a cluster, Helm does not show them. */
async function renderWithNotes(values: object): Promise<{ rendered: Rendered; notes: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-notes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(root, 'k8s/chart'), folder, { recursive: true });
  await rename(join(folder, 'templates/NOTES.txt'), join(folder, 'files/notes.txt'));
  const template =
    'kind: Notes\nmetadata: { name: notes }\ntext: {{ tpl (.Files.Get "files/notes.txt") . | toJson }}\n';
  await writeFile(join(folder, 'templates/notes.yaml'), template);
  const rendered = await render({ chart: folder, values });
  return { rendered, notes: rendered.find<{ text: string }>('Notes').text };
}

describeWithTools(['helm'], 'the notes of the chart', () => {
  it('have a request that works as it stands', async () => {
    const { rendered, notes } = await renderWithNotes({});
    const pod = podOf(rendered);
    await using mounts = await mountVolumes(pod, containerOf(pod));
    await using weir = await startContainer(containerOf(pod), mounts);
    const [, path = '', body = ''] = /curl -s http:\/\/localhost:8080(\S+) -d '(.*)'/.exec(notes) ?? [];
    const answer = await httpCall({ address: weir.address('http'), path, method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ overallCode: 'OK', statuses: [{ limitRemaining: 99 }] });
  });

  it.each([
    ['defaults', 'the memory of one pod, which is for trying out'],
    ['Redis', 'Redis, with keys that begin with limits/weir:'],
    ['fullnameOverride', 'ratelimit-headless.limits.svc.cluster.local:8081'],
    ['memory, with rules', '"domain": "DOMAIN"'],
    ['IPv6, other ports', 'weir.limits.svc.cluster.local:9081'],
    ['sidecar', 'are in the ConfigMap weir-rules'],
  ])('of %s say "%s"', async (name, text) => {
    expect((await renderWithNotes(valuesMatrix[name] ?? {})).notes).toContain(text);
  });
});
