import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { codeBlocks, readText, root } from './repository.ts';

const page = readText('docs/check.md');
const commands = codeBlocks(page, 'sh');
const answers = [...page.matchAll(/^```\n(HTTP.*?)^```/gms)].map(([, text = '']) => text);

/** Seconds to the end of the window depend on the moment. */
const withoutTime = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/(?<=-reset: )\d+/, 'later'));

describe('docs/check.md', () => {
  let weir: RunningWeir;
  beforeAll(async () => {
    weir = await startWeir({ rules: join(root, 'examples/config'), env: { BACKEND_TYPE: 'memory' } });
  });
  afterAll(() => weir?.stop());

  it('has an answer for each command', () => {
    expect(commands).toHaveLength(2);
    expect(answers).toHaveLength(2);
  });

  it.each([0, 1])('command %i gives the answer that stands there', async (index) => {
    const command = commands[index] ?? '';
    const [, path = ''] = /^curl -si 'http:\/\/localhost:8080(\/check\?[^']+)'/.exec(command) ?? [];
    const headers = [...command.matchAll(/ -H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]);
    const answer = await httpCall({
      address: weir.address('http'),
      path,
      headers: Object.fromEntries(headers) as Record<string, string>,
    });
    const [first, ...shown] = (answers[index] ?? '').trim().split('\n');
    expect(first).toBe(`HTTP/1.1 ${answer.status} OK`);
    const lines = answer.headerList.map(([name, value]) => `${name}: ${value}`);
    expect(withoutTime(lines).slice(0, shown.length)).toEqual(withoutTime(shown));
  });
});
