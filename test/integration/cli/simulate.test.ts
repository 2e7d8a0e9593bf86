import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SimulationReport } from '../../../src/simulate/report/report.ts';
import { readText, root } from '../repository/repository.ts';
import { folderOf, runWeir } from './run-weir.ts';

const log = 'examples/simulate/requests.jsonl';
const example = ['simulate', '-c', 'examples/config', '--log', log];

const rules = `domain: shop
descriptors:
  - { key: user, rate_limit: { unit: minute, requests_per_unit: 2 } }
`;

/** A log of requests of one user each, all within a minute. */
function logOf(...users: string[]): string {
  const lines = users.map((value, index) => {
    const descriptors = [{ entries: [{ key: 'user', value }] }];
    return JSON.stringify({ time: `2026-11-02T10:00:${10 + index}Z`, domain: 'shop', descriptors });
  });
  return lines.join('\n');
}

async function reportOf(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<SimulationReport> {
  const { status, out, err } = await runWeir(['simulate', '--output', 'json', ...args], env);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return JSON.parse(out) as SimulationReport;
}

describe('weir simulate', () => {
  it('replays a log that is packed, and one that comes through a pipe, like one that lies there', async () => {
    await using folder = await folderOf({});
    const packed = join(folder.path, 'requests');
    await writeFile(packed, gzipSync(readText(log)));
    const { out } = await runWeir(example);
    expect((await runWeir([...example.slice(0, 3), '--log', packed])).out).toBe(out);
    const piped = spawn(process.execPath, ['bin/weir.js', 'simulate', '-c', 'examples/config'], {
      cwd: root,
    });
    piped.stdin.end(readText(log));
    expect(await Promise.all([text(piped.stdout), text(piped.stderr)])).toEqual([`${out}\n`, '']);
  });

  it('writes the report where it is told to', async () => {
    await using folder = await folderOf({});
    const file = join(folder.path, 'report.txt');
    expect(await runWeir([...example, '--out', file])).toEqual({ status: 0, out: '', err: '' });
    expect(await readFile(file, 'utf8')).toBe(`${(await runWeir(example)).out}\n`);
  });

  it('names the first bad lines, and replays the others', async () => {
    const bad = Array.from({ length: 12 }, (_, index) => `bad ${index}`).join('\n');
    await using folder = await folderOf({ 'shop.yaml': rules, 'a.jsonl': `\n${logOf('ann')}\n${bad}\n\n` });
    const { log } = await reportOf([
      '-c',
      join(folder.path, 'shop.yaml'),
      '-l',
      join(folder.path, 'a.jsonl'),
    ]);
    expect(log).toMatchObject({ lines: 13, requests: 1, badLines: 12, firstBadLines: { length: 10 } });
    expect(log.firstBadLines[0]).toEqual({ line: 3, message: 'it is not a JSON object' });
  });

  it.each([
    [[], {}, 2],
    [['--count-denied', 'false'], {}, 1],
    [[], { COUNT_DENIED: 'false' }, 1],
    [['--count-denied', 'true'], { COUNT_DENIED: 'false' }, 2],
  ])('with %j and %j denies as the service would, and counts or does not', async (args, env, deniedOfA) => {
    await using folder = await folderOf({
      // A request that the day denies takes nothing of the minute, unless denied requests count.
      'shop.yaml': `${rules}  - { key: day, rate_limit: { unit: day, requests_per_unit: 1 } }\n`,
      'a.jsonl': [0, 1, 2, 3]
        .map((second) => {
          const both = [
            { entries: [{ key: 'user', value: 'ann' }] },
            { entries: [{ key: 'day', value: 'd' }] },
          ];
          const descriptors = second === 3 ? both.slice(0, 1) : both;
          return JSON.stringify({ time: `2026-11-02T10:00:0${second}Z`, domain: 'shop', descriptors });
        })
        .join('\n'),
    });
    const at = ['-c', join(folder.path, 'shop.yaml'), '-l', join(folder.path, 'a.jsonl')];
    const [report] = (await reportOf([...at, ...args], env)).configurations;
    expect(report?.rules.map(({ denied }) => denied)).toEqual([deniedOfA === 2 ? 2 : 0, 2]);
  });

  it.each([
    ['--near', '0.5', 1],
    ['--near', '1', 0],
  ])('%s %s tells which hits are near a limit', async (option, value, near) => {
    await using folder = await folderOf({ 'shop.yaml': rules, 'a.jsonl': logOf('ann', 'ann', 'bob') });
    const at = ['-c', join(folder.path, 'shop.yaml'), '-l', join(folder.path, 'a.jsonl')];
    const [report] = (await reportOf([...at, option, value])).configurations;
    expect(report?.rules[0]).toMatchObject({
      nearLimitHits: near,
      nearLimitShare: near === 1 ? 0.333333 : 0,
    });
  });

  it('says so where counters found no room', async () => {
    await using folder = await folderOf({ 'shop.yaml': rules, 'a.jsonl': logOf('ann', 'bob', 'ann', 'bob') });
    const at = ['-c', join(folder.path, 'shop.yaml'), '-l', join(folder.path, 'a.jsonl')];
    const { out } = await runWeir(['simulate', ...at, '--max-counters', '1']);
    expect(out).toContain('! 3 counters found no room, so some requests were allowed that would be denied.');
  });

  it('lets those in that a domain lets in, since the log has no others', async () => {
    const clients = rules.replace('descriptors', 'clients: [shop.example, spiffe://shop]\ndescriptors');
    await using folder = await folderOf({ 'shop.yaml': clients, 'a.jsonl': logOf('ann') });
    const [report] = (
      await reportOf(['-c', join(folder.path, 'shop.yaml'), '-l', join(folder.path, 'a.jsonl')])
    ).configurations;
    expect(report).toMatchObject({ allowed: 1, failed: 0 });
  });

  it('shows no value that must not be seen, in any form of the report', async () => {
    const sensitive = rules.replace('key: user', 'key: user, sensitive: true');
    await using folder = await folderOf({
      'shop.yaml': sensitive,
      'a.jsonl': logOf('hunter2', 'hunter2', 'hunter2'),
    });
    const at = ['-c', join(folder.path, 'shop.yaml'), '-l', join(folder.path, 'a.jsonl')];
    for (const form of ['text', 'json', 'html']) {
      const { status, out } = await runWeir(['simulate', ...at, '--output', form]);
      expect(status).toBe(0);
      expect(out).toMatch(/user=#~[\w-]{43}/);
      expect(out).not.toContain('hunter2');
    }
  });

  it.each([
    [['-c', 'no/such'], /^weir simulate: there is no no\/such; name a directory of rules with --config$/],
    [['-c', 'examples/config', '--compare', 'no/such'], /there is no no\/such/],
    [
      ['-c', 'examples/config', '--log', 'no/such'],
      /^weir simulate: the log cannot be read: no\/such \(ENOENT\)$/,
    ],
    [['-c', 'examples/config', '--log', log, '--out', 'no/such'], /no\/such cannot be written \(ENOENT\)$/],
    [['--format', 'envoy'], /--format envoy and --mapping go together/],
    [['--mapping', 'x'], /--format envoy and --mapping go together/],
    [['--format', 'envoy', '--mapping', 'no/such'], /the mapping no\/such cannot be read \(ENOENT\)$/],
    [['--format', 'envoy', '--mapping', 'package.json'], /^package\.json:2:3: error: unknown key 'name'/m],
    [['--near', '2'], /It must be a number from 0 to 1/],
    [['--count-denied', 'maybe'], /It must be true or false/],
    [['--output', 'pdf'], /Allowed choices are text, json, html/],
  ])('cannot be done with %j', async (args, message) => {
    const { status, out, err } = await runWeir(['simulate', ...args]);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(out).toBe('');
  });

  it('replays nothing against rules of which the server would refuse some', async () => {
    await using folder = await folderOf({ 'shop.yaml': rules, 'bad.yaml': 'domain: bad\nkye: 1' });
    const { status, out, err } = await runWeir(['simulate', '-c', folder.path, '--log', log]);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(
      /bad\.yaml:2:1: error: .*\nweir simulate: some of \S+ is refused, so nothing was replayed$/,
    );
  });

  it('answers no where the log asks for no decision', async () => {
    await using folder = await folderOf({ 'a.jsonl': 'nothing\n' });
    const { status, out } = await runWeir([
      'simulate',
      '-c',
      'examples/config',
      '-l',
      join(folder.path, 'a.jsonl'),
    ]);
    expect(status).toBe(1);
    expect(out).toContain(
      '0 requests of 1 line\n! 1 line could not be used.\n  line 1: it is not a JSON object',
    );
  });
});
