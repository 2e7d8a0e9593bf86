import { describe, expect, it } from 'vitest';
import { baseRules, replacingRules } from '../../support/case-rules.ts';
import { startWeir } from '../../support/start-weir.ts';
import { folderOf, runWeir } from './run-weir.ts';

describe('weir', () => {
  it('says what there is, and what the exit status means', async () => {
    const { status, out } = await runWeir(['--help']);
    expect(status).toBe(0);
    for (const command of ['serve', 'check', 'explain', 'call', 'health']) expect(out).toContain(command);
    expect(out).toContain('Exit status: 0 yes');
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
  it('is content with good files', async () => {
    await using folder = await folderOf({ 'shop.yaml': baseRules });
    const { status, out } = await runWeir(['check', folder.path]);
    expect(status).toBe(0);
    expect(out).toBe('1 domain with 2 limits usable; 0 refused, 0 ignored, 0 to look at');
  });

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
      /api\.yaml:5:\d+: error: key 'account' is declared a second time, first on line 3; one limit per descriptor/,
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

  it('says so when there is nothing', async () => {
    expect(await runWeir(['check', '/no/such/folder'])).toMatchObject({
      status: 2,
      err: 'weir check: there is no /no/such/folder',
    });
  });
});

describe('weir explain', () => {
  it('M02: shows each step, and why it failed', async () => {
    await using folder = await folderOf({ 'shop.yaml': baseRules });
    const { status, out } = await runWeir([
      'explain',
      '-c',
      folder.path,
      '-d',
      'shop',
      'plan=free',
      'plan=gold,ip=1',
    ]);
    expect(status).toBe(1);
    expect(out.replaceAll(folder.path, 'DIR').split('\n')).toEqual([
      'shop: plan=free',
      '  1. plan=free',
      '     yes  exact value  plan=free',
      '  => rule shop.plan_free (DIR/shop.yaml:4)',
      '     5 per minute',
      'shop: plan=gold,ip=1',
      '  1. plan=gold',
      '      no  exact value  plan=gold',
      "  => matched 0 of 2 entries; key 'plan' has no rule for value 'gold'",
    ]);
  });

  it('reads where serve would', async () => {
    await using folder = await folderOf({ 'x/config/shop.yaml': baseRules });
    const env = { RUNTIME_ROOT: folder.path, RUNTIME_SUBDIRECTORY: 'x' };
    expect((await runWeir(['explain', '-d', 'shop', 'ip=1'], env)).status).toBe(0);
  });

  it('takes a comma in a value', async () => {
    const yaml =
      'domain: d\ndescriptors: [{key: k, value: "a,b\\\\c", rate_limit: {unit: day, requests_per_unit: 1}}]';
    await using folder = await folderOf({ 'd.yaml': yaml });
    expect((await runWeir(['explain', '-c', folder.path, '-d', 'd', 'k=a\\,b\\\\c'])).status).toBe(0);
  });
});

describe('weir call and weir health', () => {
  it('ask a running service', async () => {
    await using weir = await startWeir({
      rules: { 'shop.yaml': baseRules },
      env: { BACKEND_TYPE: 'memory' },
    });
    const call = (...args: string[]) => runWeir(['call', '-t', weir.address('grpc'), '-d', 'shop', ...args]);
    const first = await call('plan=free', 'none=x');
    expect(first.status).toBe(0);
    expect(first.out).toMatch(
      /^OK\n {2}plan=free: OK, 4 of 5 per minute left, anew in \d+ s\n {2}none=x: OK, no limit$/,
    );
    const denied = await call('--hits', '9', 'plan=free');
    expect(denied.status).toBe(1);
    expect(denied.out).toContain('OVER_LIMIT');
    const json = await call('--output', 'json', 'none=x');
    expect(JSON.parse(json.out)).toMatchObject({
      overallCode: 'OK',
      statuses: [{ code: 'OK', currentLimit: null }],
    });
    const [, port = ''] = weir.address('http').split(':');
    expect(await runWeir(['health'], { PORT: port })).toMatchObject({ status: 0, out: 'ready' });
  });

  it('cannot ask one that is not there', async () => {
    const call = await runWeir(['call', '-t', '127.0.0.1:1', '-d', 'shop', 'ip=1']);
    expect(call.status).toBe(2);
    expect(call.err).toContain('127.0.0.1:1');
    expect((await runWeir(['health'], { HOST: '127.0.0.1', PORT: '1' })).status).toBe(2);
  });
});
