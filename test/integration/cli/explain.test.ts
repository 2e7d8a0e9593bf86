import { describe, expect, it } from 'vitest';
import { baseRules, replacingRules } from '../../support/case-rules.ts';
import { folderOf, runWeir } from './run-weir.ts';

const replaced = 'replaced in this request by rule shop.page_hot.user: it neither counts nor denies';

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

  it('M11: shows what exempts a request, and which network a rule was found by', async () => {
    const yaml = `domain: d
exemptions: [{key: user, prefix: svc-}, {key: ip, cidrs: [10.20.0.0/16]}]
descriptors:
  - {key: ip, cidrs: [192.0.2.0/24, 10.0.0.0/8], aggregate: {ipv4: /28}, rate_limit: {unit: day, requests_per_unit: 1}}
`;
    await using folder = await folderOf({ 'd.yaml': yaml });
    const explain = async (...args: string[]) => {
      const { status, out } = await runWeir(['explain', '-c', folder.path, '-d', 'd', ...args]);
      return [status, out.replaceAll(folder.path, 'DIR').trimEnd().split('\n').slice(-4)];
    };
    expect(await explain('ip=192.0.2.1')).toEqual([
      0,
      [
        '      no  exact value  ip=192.0.2.1',
        '     yes  network      ip=192.0.2.0/24',
        '  => rule d.ip_10.0.0.0/8+1 (DIR/d.yaml:4)',
        '     1 per day, one counter for each /28 of IPv4',
      ],
    ]);
    expect(await explain('user=ann', 'ip=::ffff:10.20.3.4')).toMatchObject([
      0,
      {
        3: 'exempt: ip=::ffff:10.20.3.4 is in 10.20.0.0/16, so the request passes as a whole and is counted nowhere',
      },
    ]);
    expect((await explain('user=svc-mail'))[1]).toContain(
      'exempt: user=svc-mail begins with svc-, so the request passes as a whole and is counted nowhere',
    );
    expect(await explain('user=ann')).toMatchObject([1, {}]);
  });

  it('shows which rule of a request replaces another', async () => {
    await using folder = await folderOf({ 'shop.yaml': replacingRules });
    const explain = (...args: string[]) => runWeir(['explain', '-c', folder.path, '-d', 'shop', ...args]);
    const both = await explain('area=read,user=u', 'page=hot,user=u');
    expect(both.status).toBe(0);
    expect(
      both.out.split('\n').filter((line) => line.startsWith('     ') && !/ (yes|no) /.test(line)),
    ).toEqual([
      '     5 per second, name "area_cap"',
      `     ${replaced}`,
      '     10 per second, replaces area_cap',
    ]);
    expect((await explain('area=read,user=u')).out).not.toContain('replaced');
  });

  it('an unlimited rule can be replaced as well', async () => {
    const yaml = replacingRules.replace('unit: second, requests_per_unit: 5', 'unlimited: true');
    await using folder = await folderOf({ 'shop.yaml': yaml });
    const { out } = await runWeir([
      ...['explain', '-c', folder.path, '-d', 'shop'],
      ...['area=read,user=u', 'page=hot,user=u'],
    ]);
    expect(out).toContain(`     unlimited, name "area_cap"\n     ${replaced}\n`);
  });

  it.each([
    [
      'does not parse',
      { 'shop.yaml': `${baseRules}unknown: 1\n` },
      /'shop' is in no usable file, .*: \S+\/shop.yaml$/m,
    ],
    [
      'does not parse, beside a good one',
      { 'good.yaml': 'domain: good\ndescriptors: []', 'shop.yaml': `${baseRules}unknown: 1\n` },
      /'shop' is in no usable file, .*: \S+\/shop.yaml$/m,
    ],
    [
      'declares it a second time',
      { 'a.yaml': baseRules, 'b.yaml': baseRules, 'good.yaml': 'domain: good\ndescriptors: []' },
      /the rules for domain 'shop' are refused: \S+\/a.yaml, \S+\/b.yaml$/m,
    ],
  ])('cannot tell when the file of the domain %s', async (_, files, sentence) => {
    await using folder = await folderOf(files);
    const { status, out, err } = await runWeir(['explain', '-c', folder.path, '-d', 'shop', 'ip=1']);
    expect(status).toBe(2);
    expect(err).toMatch(sentence);
    expect(out).toBe('');
  });

  it('a domain that nobody has is an answer when all files are good', async () => {
    await using folder = await folderOf({ 'shop.yaml': baseRules });
    const { status, out } = await runWeir(['explain', '-c', folder.path, '-d', 'shpo', 'ip=1']);
    expect(status).toBe(1);
    expect(out).toContain("no rules for domain 'shpo'; did you mean 'shop'?");
  });

  it('looks at no setting of the server', async () => {
    await using folder = await folderOf({ 'shop.yaml': baseRules });
    const env = { PORT: 'tcp://10.0.0.7:8080', STATSD_PORT: 'many', CONFIG_TYPE: 'GRPC_XDS_SOTW' };
    expect((await runWeir(['explain', '-c', folder.path, '-d', 'shop', 'ip=1'], env)).status).toBe(0);
  });
});
