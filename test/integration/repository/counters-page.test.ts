import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { runWeir } from '../cli/run-weir.ts';
import { codeBlocks, codeIn, readText, root, sectionOf, tableRows } from './repository.ts';

const page = readText('docs/counters.md');
const token = 'correct-horse-battery-staple';
const commands = (heading: string) =>
  codeBlocks(sectionOf(page, heading), 'sh').flatMap((block) => block.trim().split('\n'));

describeWithTools(['curl'], 'docs/counters.md', () => {
  let weir: RunningWeir;
  beforeAll(async () => {
    const env = { BACKEND_TYPE: 'memory', DEBUG_TOKEN: token };
    weir = await startWeir({ rules: join(root, 'examples/config'), env });
  });
  afterAll(async () => void (await weir.stop()));

  it('has commands that work', async () => {
    const all = commands('## On the command line');
    expect(all).toHaveLength(3);
    for (const command of all) {
      expect(command).toMatch(/^npx weir counters /);
      const args = [...command.split(' ').slice(2), '-a', `http://${weir.address('debug')}`];
      expect(await runWeir(args, { DEBUG_TOKEN: token })).toMatchObject({ status: 0, err: '' });
    }
  });

  it('has every option', async () => {
    const { out } = await runWeir(['counters', 'grant', '--help']);
    const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option);
    const documented = tableRows(sectionOf(page, '## On the command line')).map(([names = '']) =>
      codeIn(names).at(-1),
    );
    expect(documented).toEqual(options.filter((option) => option !== '--help'));
  });

  it('has calls of curl that work, and their answer', async () => {
    const [example = ''] = codeBlocks(page, 'json');
    const shape = (json: unknown): unknown =>
      JSON.parse(JSON.stringify(json, (_, value) => (typeof value === 'number' ? 0 : value)));
    const all = commands('## HTTP');
    expect(all).toHaveLength(3);
    for (const command of all) {
      const call = command.replace('http://127.0.0.1:6070', `http://${weir.address('debug')}`);
      const { output } = await runCommand('sh', ['-c', call.replace('curl', 'curl -sS --fail')], {
        env: { DEBUG_TOKEN: token },
      });
      expect(shape(JSON.parse(output))).toEqual(shape(JSON.parse(example)));
    }
  });
});
