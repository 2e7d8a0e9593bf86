import { describe, expect, it } from 'vitest';
import { folderOf, runWeir } from './run-weir.ts';

const yaml = `domain: shop
descriptors:
  - key: route
    descriptors:
      - {key: user, sensitive: true, rate_limit: {unit: day, requests_per_unit: 1}}
`;
const hint =
  "shop.yaml:5:9: lint: the rule for key 'user' is sensitive, and the server refuses the domain unless it has SENSITIVE_HASH_KEY or SENSITIVE_HASH_KEY_FILE [sensitive-without-key]";

describe('sensitive rules on the command line', () => {
  it('check needs no secret, and says that the server does', async () => {
    await using folder = await folderOf({ 'shop.yaml': yaml });
    const { status, out } = await runWeir(['check', '--strict', folder.path]);
    expect(status).toBe(0);
    expect(out.split('\n')).toEqual([
      `${folder.path}/${hint}`,
      '1 domain with 1 limit usable; 0 refused, 0 ignored, 1 to look at',
    ]);
  });

  it.each([
    [{ SENSITIVE_HASH_KEY: '0123456789abcdef' }],
    // It is where the server is, and is not read here.
    [{ SENSITIVE_HASH_KEY_FILE: '/no/such/key' }],
  ])('check has no hint with %o', async (env) => {
    await using folder = await folderOf({ 'shop.yaml': yaml });
    const { status, out } = await runWeir(['check', folder.path], env);
    expect(status).toBe(0);
    expect(out).toBe('1 domain with 1 limit usable; 0 refused, 0 ignored, 0 to look at');
  });

  it('check knows SENSITIVE_VALUES', async () => {
    await using folder = await folderOf({ 'shop.yaml': yaml.replace('sensitive: true, ', '') });
    const { status, out } = await runWeir(['check', folder.path], { SENSITIVE_VALUES: 'true' });
    expect(status).toBe(0);
    expect(out).toContain('shop.yaml:1:9: lint: SENSITIVE_VALUES makes all values sensitive, and the server');
  });

  it('check refuses a secret that the server would refuse, without showing it', async () => {
    const { status, err } = await runWeir(['check', '.'], { SENSITIVE_HASH_KEY: 'hunter2' });
    expect(status).toBe(2);
    expect(err).toMatch(/^weir: error: SENSITIVE_HASH_KEY: it must have at least 16 characters/);
    expect(err).not.toContain('hunter2');
  });

  it('explain shows whoever asks what was asked', async () => {
    await using folder = await folderOf({ 'shop.yaml': yaml });
    const explain = (text: string) => runWeir(['explain', '-c', folder.path, '-d', 'shop', text]);
    const { status, out, err } = await explain('route=login,user=alice');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain('  2. user=alice\n');
    expect(out).toContain('     1 per day, sensitive values');
    expect((await explain('route=login,user=alice,x=y')).out).toContain("no rules go deeper for key 'x'");
  });
});
