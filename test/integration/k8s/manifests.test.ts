import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manifests, renderManifest } from '../../../scripts/gen-manifests.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { readText, root } from '../repository/repository.ts';
import { readObjects } from './render.ts';
import { problemsOf } from './validate.ts';

describeWithTools(['helm', 'kubernetes-validate'], 'k8s/manifests', () => {
  it.each(Object.keys(manifests))('%s is what the chart makes, and as Kubernetes takes it', async (file) => {
    const text = readText(`k8s/manifests/${file}`);
    expect(text).toBe(await renderManifest(file));
    expect(await problemsOf(readObjects(text).objects)).toEqual([]);
  });

  it('has no other file', () => {
    expect(readdirSync(join(root, 'k8s/manifests')).sort()).toEqual(Object.keys(manifests).sort());
  });
});
