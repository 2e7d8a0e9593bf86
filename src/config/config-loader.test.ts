import { describe, expect, it } from 'vitest';
import { perHour, ruleDocument, rulesDocument } from '../../test/support/rule-document.ts';
import { createKeyedHash } from '../domain/keyed-hash.ts';
import { octetsOf } from '../domain/octets.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import type { SensitiveOptions } from '../rules/sensitive.ts';
import { type ConfigLoad, createConfigLoader } from './config-loader.ts';
import type { Snapshot } from './config-source.ts';

/** A document whose rules are keys with a limit in each minute; a list, so that a key can be declared twice. */
function document(
  file: string,
  domain: string,
  limits: readonly [key: string, limit: number][],
): RulesDocument {
  const descriptors = limits.map(([key, requestsPerUnit]) =>
    ruleDocument({ key, rateLimit: perHour(requestsPerUnit) }),
  );
  return rulesDocument(file, domain, descriptors);
}

function errorIn(file: string): ConfigIssue {
  return { severity: 'error', code: 'some-error', file, line: 3, column: 1, message: 'it is wrong' };
}

function createLoader(mergeDomains = false, sensitive?: SensitiveOptions) {
  const told: { load: ConfigLoad; rules: RuleSet | undefined }[] = [];
  const loader = createConfigLoader({
    mergeDomains,
    keyPrefix: '',
    ...(sensitive && { sensitive }),
    clock: { now: () => 1_000, monotonic: () => 0 },
    onLoad: (load, rules) => told.push({ load, rules }),
  });
  let version = 0;
  return {
    ...loader,
    told,
    /** Delivers a state with a version of its own. */
    load: (documents: readonly RulesDocument[], issues: readonly ConfigIssue[] = []) =>
      loader.apply({ version: `v${++version}`, documents, issues }),
    /** The limits in force, as `domain.key: limit`. */
    limits: () => limitsOf(loader.current()),
  };
}

function limitsOf(rules: RuleSet | undefined): string[] {
  return (rules?.rules ?? []).map(({ path, limits: [first] }) => {
    return `${path}: ${first?.limit.requestsPerUnit ?? 'unlimited'}`;
  });
}

const shop = document('shop.yaml', 'shop', [['ip', 3]]);
const shopEdited = document('shop.yaml', 'shop', [['ip', 10]]);
const blog = document('blog.yaml', 'blog', [['ip', 5]]);
const blogEdited = document('blog.yaml', 'blog', [['ip', 9]]);
/** One key twice: the compiler refuses the domain. */
const shopTwice = document('shop.yaml', 'shop', [
  ['ip', 3],
  ['ip', 4],
]);

describe('a first load', () => {
  it('is applied when all is good', async () => {
    const loader = createLoader();
    expect(loader.current()).toBeUndefined();
    expect(await loader.load([shop, blog])).toEqual({ kind: 'applied', version: 'v1', issues: [] });
    expect(loader.limits()).toEqual(['shop.ip: 3', 'blog.ip: 5']);
    expect(loader.current()?.version).toBe('v1');
  });

  it('is good without any document', async () => {
    const loader = createLoader();
    expect(await loader.load([])).toMatchObject({ kind: 'applied' });
    expect(loader.current()?.domains.size).toBe(0);
  });

  it('leaves out what is broken and applies the rest', async () => {
    const loader = createLoader();
    const result = await loader.load([shopTwice, blog], [errorIn('bad.yaml')]);
    expect(result).toMatchObject({ kind: 'applied' });
    expect(result).toHaveProperty('issues.0.file', 'bad.yaml');
    expect(result).toHaveProperty('issues.1.file', 'shop.yaml');
    expect(loader.limits()).toEqual(['blog.ip: 5']);
  });

  it.each([
    ['its only file is broken', [], [errorIn('bad.yaml')]],
    ['its only domain is refused', [shopTwice], []],
    ['every domain is refused', [shopTwice, document('other.yaml', 'shop', [])], []],
  ])('is rejected when %s', async (_, documents, issues) => {
    const loader = createLoader();
    expect(await loader.load(documents, issues)).toMatchObject({ kind: 'rejected', version: 'v1' });
    expect(loader.current()).toBeUndefined();
  });
});

describe('a reload', () => {
  it('replaces everything: a domain that is gone is gone', async () => {
    const loader = createLoader();
    await loader.load([shop, blog]);
    await loader.load([blogEdited]);
    expect(loader.limits()).toEqual(['blog.ip: 9']);
    await loader.load([]);
    expect(loader.limits()).toEqual([]);
  });

  it('leaves an earlier rule set as it was, for the requests that hold it', async () => {
    const loader = createLoader();
    await loader.load([shop]);
    const held = loader.current();
    await loader.load([shopEdited]);
    expect(limitsOf(held)).toEqual(['shop.ip: 3']);
    expect(loader.limits()).toEqual(['shop.ip: 10']);
  });

  it('keeps what it last had from a file that is broken now', async () => {
    const loader = createLoader();
    await loader.load([shop, blog]);
    expect(await loader.load([blogEdited], [errorIn('shop.yaml')])).toMatchObject({ kind: 'applied' });
    expect(loader.limits().sort()).toEqual(['blog.ip: 9', 'shop.ip: 3']);
  });

  it('keeps it through further reloads, and lets it go when the file is removed', async () => {
    const loader = createLoader();
    await loader.load([shop, blog]);
    await loader.load([blogEdited], [errorIn('shop.yaml')]);
    await loader.load([blog], [errorIn('shop.yaml')]);
    expect(loader.limits().sort()).toEqual(['blog.ip: 5', 'shop.ip: 3']);
    await loader.load([blog]);
    expect(loader.limits()).toEqual(['blog.ip: 5']);
  });

  it('keeps all files of a folder that can not be read', async () => {
    const loader = createLoader();
    const inFolder = document('rules/team/a.yaml', 'a', [['ip', 1]]);
    const beside = document('rules/teams.yaml', 'b', [['ip', 2]]);
    await loader.load([inFolder, beside, blog]);
    await loader.load([blogEdited], [errorIn('rules/team')]);
    expect(loader.limits().sort()).toEqual(['a.ip: 1', 'blog.ip: 9']);
  });

  it('is rejected when its only file is broken, and everything stays', async () => {
    const loader = createLoader();
    await loader.load([shop]);
    expect(await loader.load([], [errorIn('shop.yaml')])).toMatchObject({ kind: 'rejected', version: 'v2' });
    expect(loader.limits()).toEqual(['shop.ip: 3']);
    expect(loader.current()?.version).toBe('v1');
  });

  it('keeps the last good rules of a domain that can not be compiled', async () => {
    const loader = createLoader();
    await loader.load([shop, blog]);
    expect(await loader.load([shopTwice, blogEdited])).toMatchObject({ kind: 'applied' });
    expect(loader.limits().sort()).toEqual(['blog.ip: 9', 'shop.ip: 3']);
  });

  it('keeps the domain that a file had before it got another, refused one', async () => {
    const loader = createLoader();
    await loader.load([shop, blog]);
    const renamed = { ...shopTwice, domain: 'store' };
    await loader.load([renamed, blogEdited]);
    expect(loader.limits().sort()).toEqual(['blog.ip: 9', 'shop.ip: 3']);
  });

  it('takes a domain from its new file when its old one got a refused domain', async () => {
    const loader = createLoader();
    await loader.load([shop]);
    const moved = document('moved.yaml', 'shop', [['ip', 7]]);
    await loader.load([{ ...shopTwice, domain: 'store' }, moved]);
    expect(loader.limits()).toEqual(['shop.ip: 7']);
  });
});

describe('C05: two files with one domain', () => {
  const byIp = document('a.yaml', 'shop', [['ip', 1]]);
  const byUser = document('b.yaml', 'shop', [['user', 2]]);
  const clash = document('b.yaml', 'shop', [['ip', 8]]);

  it('are merged when merging is on', async () => {
    const loader = createLoader(true);
    expect(await loader.load([byIp, byUser])).toMatchObject({ kind: 'applied', issues: [] });
    expect(loader.limits()).toEqual(['shop.ip: 1', 'shop.user: 2']);
  });

  it.each([
    ['are refused when merging is off', false, byUser],
    ['are refused when they clash in a merge', true, clash],
  ])('%s, with both files named; other domains keep updating', async (_, merge, second) => {
    const loader = createLoader(merge);
    await loader.load([byIp, blog]);
    const result = await loader.load([byIp, second, blogEdited]);
    expect(result).toMatchObject({ kind: 'applied', issues: [{ severity: 'error', file: 'b.yaml' }] });
    expect(result).toHaveProperty('issues.0.message', expect.stringContaining('a.yaml'));
    expect(loader.limits().sort()).toEqual(['blog.ip: 9', 'shop.ip: 1']);
  });

  it('are left out at the start, where nothing good is known of them', async () => {
    const loader = createLoader(false);
    await loader.load([byIp, byUser, blog]);
    expect(loader.limits()).toEqual(['blog.ip: 5']);
  });
});

it('R05: a rule whose limit changed keeps its counter, and is told before the next decision', async () => {
  const loader = createLoader();
  await loader.load([shop]);
  const before = loader.current()?.rules[0];
  await loader.load([shopEdited]);
  const after = loader.current()?.rules[0];
  const entries = [{ key: octetsOf('ip'), value: octetsOf('192.0.2.1') }];
  expect(after?.limits[0]?.counterKey(entries)).toBe(before?.limits[0]?.counterKey(entries));
  expect(after?.limits[0]?.limit).toMatchObject({ requestsPerUnit: 10 });
  expect(loader.told.at(-1)?.rules).toBe(loader.current());
});

describe('versions', () => {
  const snapshot = (version: string, documents = [shop]): Snapshot => ({ version, documents, issues: [] });

  it('an equal one is no load', async () => {
    const loader = createLoader();
    await loader.apply(snapshot('same'));
    const rules = loader.current();
    expect(await loader.apply(snapshot('same'))).toEqual({ kind: 'unchanged', version: 'same' });
    expect(loader.current()).toBe(rules);
    expect(loader.told).toHaveLength(1);
  });

  it('a rejected one is rejected again, as a source must be told, and is not a second load', async () => {
    const loader = createLoader();
    await loader.apply(snapshot('good'));
    const first = await loader.apply(snapshot('bad', [shopTwice]));
    expect(first).toMatchObject({ kind: 'rejected' });
    expect(await loader.apply(snapshot('bad', [shopTwice]))).toBe(first);
    expect(loader.told).toHaveLength(2);
  });

  it('going back to a good one after a rejected one is a load', async () => {
    const loader = createLoader();
    await loader.apply(snapshot('good'));
    await loader.apply(snapshot('bad', [shopTwice]));
    expect(await loader.apply(snapshot('good'))).toMatchObject({ kind: 'applied' });
    expect(loader.told.map(({ load }) => load.result.kind)).toEqual(['applied', 'rejected', 'applied']);
  });
});

describe('a sensitive domain without a key', () => {
  const rules = [ruleDocument({ key: 'user', sensitive: true, rateLimit: perHour(3) })];
  const users = rulesDocument('users.yaml', 'users', rules);

  it('is refused, with the place and what to set, and holds nothing else back', async () => {
    const { load, limits } = createLoader();
    expect(await load([users, blog])).toMatchObject({
      kind: 'applied',
      issues: [
        {
          severity: 'error',
          code: 'sensitive-without-key',
          file: 'users.yaml',
          line: 1,
          message: expect.stringContaining('set SENSITIVE_HASH_KEY or SENSITIVE_HASH_KEY_FILE'),
        },
      ],
    });
    expect(limits()).toEqual(['blog.ip: 5']);
  });

  it('keeps its last good rules when it becomes sensitive', async () => {
    const { load, limits } = createLoader();
    await load([document('users.yaml', 'users', [['user', 2]]), blog]);
    await load([users, blog]);
    expect(limits().sort()).toEqual(['blog.ip: 5', 'users.user: 2']);
  });

  it.each([true, false])('is good with a key: %s', async (hasKey) => {
    const keyedHash = hasKey ? createKeyedHash(Buffer.from('0123456789abcdef')) : undefined;
    const { load } = createLoader(false, { everywhere: false, keyedHash });
    const domain = rulesDocument('users.yaml', 'users', [], { sensitive: true });
    expect(await load([domain, blog])).toMatchObject({ issues: hasKey ? [] : [{ file: 'users.yaml' }] });
  });
});
