import { describe, expect, it } from 'vitest';
import { createJsonLineReader } from '../../../src/simulate/log/json-line.ts';
import { folderOf, runWeir } from '../cli/run-weir.ts';
import { codeBlocks, codeIn, readText, sectionOf, tableRows } from './repository.ts';

const page = readText('docs/simulate.md');
const commands = codeBlocks(page, 'sh').flatMap((block) => block.trim().split('\n'));

/** Every name of a field in a value of JSON, whose keys are not data. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      names.add(name);
      if (name !== 'failures') namesIn(inner, names);
    }
  }
  return names;
}

describe('docs/simulate.md', () => {
  it('has commands that work', async () => {
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      expect(command).toMatch(/^npx weir simulate /);
      const { status, out } = await runWeir(command.split(' ').slice(2));
      expect(status).toBe(0);
      expect(out).toMatch(/^(?:101 requests|97 requests) of 101 lines/);
    }
  });

  it('has every option', async () => {
    const { out } = await runWeir(['simulate', '--help']);
    const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option);
    const documented = tableRows(sectionOf(page, '## In a minute')).map(([names = '']) =>
      codeIn(names).at(-1),
    );
    expect(documented).toEqual(options.filter((option) => option !== '--help'));
  });

  it('has every field of the JSON, and no other', async () => {
    // With a bad line, so that all fields have a value.
    await using folder = await folderOf({
      'a.jsonl': `${readText('examples/simulate/requests.jsonl')}bad\n`,
    });
    const compared = ['--config', 'examples/config', '--compare', 'examples/simulate/stricter'];
    const { out } = await runWeir([
      'simulate',
      ...compared,
      '--log',
      `${folder.path}/a.jsonl`,
      '--output',
      'json',
    ]);
    const documented = codeIn(sectionOf(page, '## JSON')).filter((code) => /^[a-zA-Z]+$/.test(code));
    expect([...new Set(documented)].sort()).toEqual([...namesIn(JSON.parse(out))].sort());
  });

  it('shows the report as it is', async () => {
    const { out } = await runWeir((commands[0] ?? '').split(' ').slice(2));
    expect(out).toContain(codeBlocks(page, 'text')[0]);
  });

  it('has a line that is one', () => {
    expect(createJsonLineReader()((codeBlocks(page, 'json')[0] ?? '').trim())).toMatchObject({
      kind: 'request',
    });
  });

  it('has every key of a mapping', () => {
    const rows = tableRows(sectionOf(page, "## Envoy's access log")).map(([name = '']) => codeIn(name)[0]);
    const source = readText('src/simulate/envoy/parse-mapping.ts');
    const rootKeys = /const rootKeys = \[([^\]]*)\]/.exec(source)?.[1]?.match(/\w+/g) ?? [];
    expect(rows).toEqual([...rootKeys, 'key', 'value', 'field', 'match', 'default', 'optional']);
  });
});
