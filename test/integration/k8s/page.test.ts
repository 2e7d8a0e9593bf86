import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { codeBlocks, readText, root } from '../repository/repository.ts';
import { render } from './render.ts';
import { problemsOf } from './validate.ts';

const page = readText('docs/kubernetes.md');
const snippets = codeBlocks(page, 'yaml').map((text) => [text.split('\n', 1)[0] ?? '', text] as const);

describeWithTools(['helm', 'kubernetes-validate'], 'docs/kubernetes.md', () => {
  it.each(snippets)('%s ... are values that the chart takes', async (_, text) => {
    const { objects } = await render({ values: parse(text) as object });
    expect(await problemsOf(objects)).toEqual([]);
  });
});

describe('docs/kubernetes.md and docs/istio.md', () => {
  it('have commands for what is there', () => {
    const commands = ['docs/kubernetes.md', 'docs/istio.md'].flatMap((path) =>
      codeBlocks(readText(path), 'sh'),
    );
    const paths = [...commands.join('').matchAll(/(?:k8s|examples)\/\S+/g)].map(([path]) => path);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
