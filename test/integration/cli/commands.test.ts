import { describe, expect, it } from 'vitest';
import { baseRules, replacingRules } from '../../support/case-rules.ts';
import { startWeir } from '../../support/start-weir.ts';
import { readText } from '../repository/repository.ts';
import { folderOf, runWeir } from './run-weir.ts';

const commands = ['serve', 'check', 'explain', 'simulate', 'call', 'health'];

/** Would end the start of `serve`, and is nothing to the other commands. */
const badForServe = {
  REDIS_URL: 'redis.example:port',
  STATSD_PORT: 'many',
  CONFIG_TYPE: 'ZOOKEEPER',
  GRPC_PORT: 'tcp://10.0.0.7:8081',
};

describe('weir', () => {
  it('says what there is', async () => {
    const { status, out } = await runWeir(['--help']);
    expect(status).toBe(0);
    for (const command of commands) expect(out).toContain(command);
  });

  it.each([['--help'], ...commands.map((command) => [command, '--help'])])(
    '%s %s says what the exit status means',
    async (...args) => {
      const { status, out } = await runWeir(args);
      expect(status).toBe(0);
      expect(out.match(/Exit status: 0 yes/g)).toHaveLength(1);
    },
  );

  it('says which version it is', async () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(await runWeir(['--version'])).toEqual({ status: 0, out: version, err: '' });
  });

  it.each([
    [['chekc']],
    [['check']],
    [['explain', 'ip=1']],
    [['call', '-d', 'shop']],
    [['call', '-d', 'x', '--no', 'ip=1']],
  ])('%o cannot be done', async (args) => {
    const { status, err } = await runWeir(args);
    expect(status).toBe(2);
    expect(err).toContain('weir --help');
  });
});

describe('weir check', () => {
  it.each([{}, { ...badForServe, PORT: 'tcp://10.0.0.7:8080' }])(
    'is content with good files, with %o',
    async (env) => {
      await using folder = await folderOf({ 'shop.yaml': baseRules });
      const { status, out } = await runWeir(['check', folder.path], env);
      expect(status).toBe(0);
      expect(out).toBe('1 domain with 2 limits usable; 0 refused, 0 ignored, 0 to look at');
    },
  );

  it('reports every problem of every file, as compilers do', async () => {
    await using folder = await folderOf({
      'a.yaml': baseRules.replace('unit: minute', 'unit: minutes').replace('key: ip', 'kye: ip'),
      'b.yaml': 'domain: ""',
      'c.yaml': 'domain: good\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]',
    });
    const { status, out } = await runWeir(['check', folder.path]);
    expect(status).toBe(1);
    expect(out.replaceAll(`${folder.path}/`, '').split('\n')).toEqual([
      expect.stringMatching(
        /^a\.yaml:6:\d+: error: unknown unit 'minutes', did you mean 'minute'\? \[unknown-unit\]$/,
      ),
      expect.stringMatching(
        /^a\.yaml:7:\d+: error: unknown key 'kye', did you mean 'key'\? \[unknown-key\]$/,
      ),
      expect.stringMatching(/^b\.yaml:1:\d+: error: .* \[empty-domain\]$/),
      '1 domain with 1 limit usable; 3 refused, 0 ignored, 0 to look at',
    ]);
  });

  it('C13: points at a name that nobody has, and does not fail for it', async () => {
    await using folder = await folderOf({
      'r.yaml': replacingRules.replace('replaces: [{name: area_cap', 'replaces: [{name: arae_cap'),
    });
    const { status, out } = await runWeir(['check', folder.path]);
    expect(status).toBe(0);
    expect(out).toMatch(/lint: .*arae_cap.* \[dangling-replaces\]/);
  });

  it('C06: one bad file among good ones fails the check, though the good ones are usable', async () => {
    const good = (domain: string) => baseRules.replace('domain: shop', `domain: ${domain}`);
    const files = { 'one.yaml': good('one'), 'two.yaml': good('two'), 'three.yaml': good('three') };
    await using folder = await folderOf({ ...files, 'bad.yaml': 'domain: ""' });
    const { status, out } = await runWeir(['check', folder.path]);
    expect(status).toBe(1);
    expect(out.replaceAll(`${folder.path}/`, '').split('\n')).toEqual([
      expect.stringMatching(/^bad\.yaml:1:\d+: error: .* \[empty-domain\]$/),
      '3 domains with 6 limits usable; 1 refused, 0 ignored, 0 to look at',
    ]);
    await using mended = await folderOf(files);
    expect((await runWeir(['check', mended.path])).status).toBe(0);
  });

  it('C01: two limits on one key are refused with a hint', async () => {
    await using folder = await folderOf({
      'api.yaml': `domain: api
descriptors:
  - key: account
    rate_limit: {unit: second, requests_per_unit: 4}
  - key: account
    rate_limit: {unit: day, requests_per_unit: 20}`,
    });
    const { status, out } = await runWeir(['check', folder.path]);
    expect(status).toBe(1);
    expect(out).toMatch(
      /api\.yaml:5:\d+: error: key 'account' is declared a second time, first on line 3; for several limits write one rule with 'rate_limits: \[4\/second, 20\/day\]'/,
    );
  });

  it('with --strict also refuses what is ignored', async () => {
    await using folder = await folderOf({ 'shop.yaml': `${baseRules}shadow_mode: true\n` });
    expect((await runWeir(['check', folder.path])).status).toBe(0);
    const { status, out } = await runWeir(['check', '--strict', folder.path]);
    expect(status).toBe(1);
    expect(out).toContain('ignored: ');
  });

  it.each([
    [['--merge-domains'], {}],
    [[], { MERGE_DOMAIN_CONFIG: 'true' }],
  ])('C05: several files share a domain with %o %o', async (flags, env) => {
    const files = {
      'a.yaml': 'domain: shop\ndescriptors: [{key: ip, rate_limit: {unit: day, requests_per_unit: 1}}]',
      'b.yaml': 'domain: shop\ndescriptors: [{key: user, rate_limit: {unit: day, requests_per_unit: 1}}]',
    };
    await using folder = await folderOf(files);
    expect((await runWeir(['check', folder.path])).status).toBe(1);
    expect((await runWeir(['check', ...flags, folder.path], env)).status).toBe(0);
  });

  it('does not guess at settings that it reads', async () => {
    const { status, err } = await runWeir(['check', '.'], { MERGE_DOMAIN_CONFIG: 'yes', ...badForServe });
    expect(status).toBe(2);
    expect(err).toMatch(/^weir: error: MERGE_DOMAIN_CONFIG must be [^\n]*$/);
  });

  it('says so when there is nothing', async () => {
    expect(await runWeir(['check', '/no/such/folder'])).toMatchObject({
      status: 2,
      err: 'weir check: there is no /no/such/folder',
    });
  });
});

describe('weir health', () => {
  it('asks a running service', async () => {
    await using weir = await startWeir({
      rules: { 'shop.yaml': baseRules },
      env: { BACKEND_TYPE: 'memory' },
    });
    const [, port = ''] = weir.address('http').split(':');
    expect(await runWeir(['health'], { ...badForServe, PORT: port })).toMatchObject({
      status: 0,
      out: 'ready',
    });
  });

  it('hears that a service is not ready', async () => {
    const rules = { 'shop.yaml': 'domain: ""' };
    await using weir = await startWeir({ rules, env: { BACKEND_TYPE: 'memory' }, untilReady: false });
    const [, port = ''] = weir.address('http').split(':');
    expect(await runWeir(['health'], { PORT: port })).toMatchObject({ status: 1, out: 'not ready' });
  });

  it('cannot ask one that is not there, or whose port is not known', async () => {
    expect((await runWeir(['health'], { HOST: '127.0.0.1', PORT: '1' })).status).toBe(2);
    const { status, err } = await runWeir(['health'], { PORT: 'tcp://10.0.0.7:8080' });
    expect(status).toBe(2);
    expect(err).toMatch(/^weir: error: PORT must be a port number; .*enableServiceLinks/);
  });
});

describe('weir serve', () => {
  it('with bad settings says all that is wrong, errors last', async () => {
    const { status, err } = await runWeir(['serve'], { ...badForServe, REDIS_POOL_SIZE: '5', REDISURL: 'x' });
    expect(status).toBe(2);
    const kinds = err.split('\n').map((line) => /^weir: (warning|error): [A-Z_]+/.exec(line)?.[1]);
    expect(kinds).toEqual(['warning', 'warning', 'error', 'error', 'error', 'error']);
  });
});
