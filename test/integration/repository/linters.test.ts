import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { requireTool } from '../../support/tools.ts';
import { root } from './repository.ts';

describeWithTools(['hadolint'], 'hadolint', () => {
  it.each(globSync('**/Dockerfile', { cwd: root, exclude: ['node_modules'] }))(
    'finds nothing in %s',
    async (file) => {
      expect(await runCommand(requireTool('hadolint'), [file], { cwd: root })).toMatchObject({
        ok: true,
        output: '',
      });
    },
  );
});

describeWithTools(['actionlint'], 'actionlint', () => {
  it.each(globSync('.github/workflows/*', { cwd: root }))('finds nothing in %s', async (file) => {
    expect(await runCommand(requireTool('actionlint'), [file], { cwd: root })).toMatchObject({
      ok: true,
      output: '',
    });
  });
});
