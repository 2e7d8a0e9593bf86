import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { folderOf, runWeir } from './run-weir.ts';

const token = 'correct-horse-battery-staple';
const yaml = `
domain: shop
descriptors:
  - {key: account, rate_limit: {unit: year, requests_per_unit: 10}}
  - {key: api, rate_limits: [20/year, "50/31536001s"]}
  - {key: free, rate_limit: {unlimited: true}}
`;

describe('weir counters', () => {
  let weir: RunningWeir;
  beforeAll(async () => {
    weir = await startWeir({
      rules: { 'shop.yaml': yaml },
      env: { BACKEND_TYPE: 'memory', DEBUG_TOKEN: token },
    });
  });
  afterAll(async () => void (await weir.stop()));

  const run = (
    operation: string,
    args: readonly string[],
    env: Record<string, string> = { DEBUG_TOKEN: token },
  ) => {
    const address = `http://${weir.address('debug')}`;
    return runWeir(['counters', operation, '-d', 'shop', '-a', address, ...args], env);
  };

  it('shows a counter, grants more, and resets it', async () => {
    await runWeir(['call', '-t', weir.address('grpc'), '-d', 'shop', '--hits', '3', 'account=a']);
    const shown = await run('get', ['account=a']);
    expect(shown).toMatchObject({ status: 0, err: '' });
    expect(shown.out).toMatch(
      /^shop: account=a\n {2}rule shop\.account\n {2}10 per year: 3 used, 7 left, resets in \d+ s\n {4}v1\{shop\|account=a\}31536000$/,
    );
    const granted = await run('grant', ['--hits', '20', 'account=a']);
    expect(granted.out).toContain('10 per year: 3 used before, -17 now, 27 left, resets in');
    const reset = await run('reset', ['account=a']);
    expect(reset.out).toContain('10 per year: -17 used before, 0 now, 10 left, resets in');
  });

  it('shows all limits of a rule, and several descriptors', async () => {
    const { out, status } = await run('get', ['api=k', 'account=b']);
    expect(status).toBe(0);
    expect(out.match(/^ {2}.* left/gm)).toEqual([
      '  20 per year: 0 used, 20 left',
      '  50 per 31536001 s: 0 used, 50 left',
      '  10 per year: 0 used, 10 left',
    ]);
  });

  it('has the answer as JSON, a line for each descriptor', async () => {
    const { out } = await run('get', ['--output', 'json', '--limit', '5/minute', 'account=a', 'account=b']);
    expect(out.split('\n').map((line) => JSON.parse(line))).toMatchObject([
      { found: 'override', counters: [{ limit: '5 per minute', used: 0 }] },
      { found: 'override' },
    ]);
  });

  it.each([
    ['free=x', 'rule shop.free: unlimited'],
    ['other=x', 'no rule matches'],
  ])('says that %s has no counter, with status 1', async (descriptor, why) => {
    expect(await run('get', [descriptor])).toEqual({
      status: 1,
      out: `shop: ${descriptor}\n  ${why}`,
      err: '',
    });
  });

  it('sends the token of a file', async () => {
    await using folder = await folderOf({ token: `${token}\n`, other: 'another-token-altogether' });
    const status = async (args: string[], env = {}) => (await run('get', [...args, 'account=a'], env)).status;
    expect(await status(['--token-file', `${folder.path}/token`])).toBe(0);
    expect(await status([], { DEBUG_TOKEN_FILE: `${folder.path}/token` })).toBe(0);
    expect(await status(['--token-file', `${folder.path}/other`], { DEBUG_TOKEN: token })).toBe(2);
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['no token', [], {}, '401 no token'],
    [
      'a file that is not there',
      ['--token-file', '/no/such'],
      {},
      '--token-file: /no/such cannot be read (ENOENT)',
    ],
    ['no address', ['-a', 'localhost:6070'], {}, 'an address is http://HOST:PORT or https://HOST:PORT'],
    ['a path', ['-a', 'http://localhost:6070/x'], {}, 'an address is http://HOST:PORT or https://HOST:PORT'],
    ['half a certificate', ['--cert', '/x'], {}, '--cert and --key go together'],
    ['no limit', ['--limit', '5/fortnight'], {}, 'write a number, a slash and a unit: 5/minute'],
    ['a token that is none', [], { DEBUG_TOKEN: 'short' }, 'DEBUG_TOKEN'],
  ])('%s: status 2, and a sentence', async (_, args, env, sentence) => {
    const { status, out, err } = await run('get', [...args, 'account=a'], env);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(sentence);
  });

  it('a grant needs hits', async () => {
    expect(await run('grant', ['account=a'])).toMatchObject({
      status: 2,
      err: expect.stringContaining("'--hits <number>' not specified"),
    });
  });

  it('nobody there: status 2', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const { status, err } = await run('get', ['-a', address, 'account=a']);
    expect(status).toBe(2);
    expect(err).toMatch(/^weir counters: .*ECONNREFUSED/);
  });
});
