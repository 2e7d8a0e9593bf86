import { describe, expect, it } from 'vitest';
import { perHour, ruleDocument, rulesDocument } from '../../test/support/rule-document.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import { type ConfigLoad, createConfigLoader } from './config-loader.ts';

function document(file: string, domain: string, limit: number, key = 'ip'): RulesDocument {
  return rulesDocument(file, domain, [ruleDocument({ key, rateLimit: perHour(limit) })]);
}

const broken: ConfigIssue = {
  severity: 'error',
  code: 'some-error',
  file: 'a.yaml',
  line: 1,
  column: 1,
  message: 'it is wrong',
};

/** A loader of `file`, which `etcd` counts before. */
function createLoader() {
  const loads: ConfigLoad[] = [];
  const loader = createConfigLoader({
    mergeDomains: false,
    keyPrefix: '',
    sources: ['file', 'etcd'],
    clock: { now: () => 1_000, monotonic: () => 0 },
    onLoad: (load) => loads.push(load),
  });
  let version = 0;
  return {
    loads,
    loader,
    load: (
      source: 'file' | 'etcd',
      documents: readonly RulesDocument[],
      issues: readonly ConfigIssue[] = [],
    ) => loader.applyOf(source)({ version: `v${++version}`, documents, issues }),
    limits: () =>
      (loader.current()?.rules ?? []).map(({ path, limits: [first] }) =>
        first === undefined ? path : `${path}: ${first.limit.requestsPerUnit}`,
      ),
  };
}

describe('several sources', () => {
  it('are in force together, each as it comes', async () => {
    const { load, limits, loads } = createLoader();
    await load('file', [document('a.yaml', 'shop', 1)]);
    expect(limits()).toEqual(['shop.ip: 1']);
    expect(loads[0]?.missing).toEqual(['etcd']);
    await load('etcd', [document('etcd:b', 'blog', 2)]);
    expect(limits()).toEqual(['shop.ip: 1', 'blog.ip: 2']);
    expect(loads[1]?.missing).toEqual([]);
  });

  it('give a domain that both have to the later of the list, whichever came first', async () => {
    const one = createLoader();
    await one.load('file', [document('a.yaml', 'shop', 1)]);
    await one.load('etcd', [document('etcd:a', 'shop', 2, 'user')]);
    const other = createLoader();
    await other.load('etcd', [document('etcd:a', 'shop', 2, 'user')]);
    await other.load('file', [document('a.yaml', 'shop', 1)]);
    for (const { limits } of [one, other]) expect(limits()).toEqual(['shop.user: 2']);
  });

  it('say once which file does not count, and go on counting it among the issues', async () => {
    const { load, loads } = createLoader();
    await load('file', [document('a.yaml', 'shop', 1)]);
    await load('etcd', [document('etcd:a', 'shop', 2)]);
    await load('etcd', [document('etcd:a', 'shop', 3)]);
    const lint = {
      severity: 'lint',
      code: 'domain-overridden',
      file: 'a.yaml',
      message: "domain 'shop' is in etcd too, which counts: CONFIG_TYPE names it later",
    };
    expect(loads.map(({ news }) => news)).toMatchObject([[], [lint], []]);
    expect(loads.map(({ issues }) => issues)).toMatchObject([[], [lint], [lint]]);
  });

  it('turn to the earlier one when the later no longer has the domain', async () => {
    const { load, limits } = createLoader();
    await load('file', [document('a.yaml', 'shop', 1)]);
    await load('etcd', [document('etcd:a', 'shop', 2)]);
    await load('etcd', []);
    expect(limits()).toEqual(['shop.ip: 1']);
  });

  it('have their own last good rules: what is broken in one is no matter of the other', async () => {
    const { load, limits, loads } = createLoader();
    await load('file', [document('a.yaml', 'shop', 1)]);
    await load('etcd', [document('etcd:b', 'blog', 2)]);
    expect(await load('file', [], [broken])).toMatchObject({ kind: 'rejected' });
    expect(await load('etcd', [document('etcd:b', 'blog', 3)])).toMatchObject({
      kind: 'applied',
      issues: [],
    });
    expect(limits()).toEqual(['shop.ip: 1', 'blog.ip: 3']);
    expect(loads.at(-1)).toMatchObject({ news: [], issues: [broken] });
  });

  it('keep a broken file out of a domain that the other has taken over', async () => {
    const { load, limits } = createLoader();
    await load('file', [document('a.yaml', 'shop', 1)]);
    await load('etcd', [document('etcd:a', 'shop', 2)]);
    await load('file', [document('b.yaml', 'wiki', 4)], [broken]);
    expect(limits()).toEqual(['wiki.ip: 4', 'shop.ip: 2']);
  });

  it('have one version for the same rules, whichever came first', async () => {
    const one = createLoader();
    const other = createLoader();
    const file = { version: 'f', documents: [document('a.yaml', 'shop', 1)], issues: [] };
    const etcd = { version: 'e', documents: [document('etcd:b', 'blog', 2)], issues: [] };
    await one.loader.applyOf('file')(file);
    await one.loader.applyOf('etcd')(etcd);
    await other.loader.applyOf('etcd')(etcd);
    await other.loader.applyOf('file')(file);
    expect(one.loader.current()?.version).toBe(other.loader.current()?.version);
    expect(one.loader.current()?.version).not.toBe('f');
  });

  it('are taken one after the other when they come at once', async () => {
    const { load, limits } = createLoader();
    await Promise.all([
      load('file', [document('a.yaml', 'shop', 1)]),
      load('etcd', [document('etcd:b', 'blog', 2)]),
      load('file', [document('a.yaml', 'shop', 5)]),
    ]);
    expect(limits()).toEqual(['shop.ip: 5', 'blog.ip: 2']);
  });
});
