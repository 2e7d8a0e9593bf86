import { describe, expect, it } from 'vitest';
import { descriptor } from '../support/requests.ts';
import { expectUnseen, hashOf, secret, startWatched } from '../support/watched-limiter.ts';

const limit = 'rate_limit: {unit: day, requests_per_unit: 1}';
const user = 'alice@example.org';
const address = '192.0.2.77';

describe('a sensitive rule', () => {
  const yaml = `domain: shop
descriptors:
  - {key: user, sensitive: true, detailed_metric: true, ${limit}}
  - {key: plan, detailed_metric: true, ${limit}}`;

  it('has a keyed hash in place of the value in its key, its line and its label', async () => {
    const watched = startWatched({ yaml });
    expect(await watched.ask(`user=${user}`, `user=${user}`)).toBe('OK OVER_LIMIT');
    const hash = hashOf(user);
    expect(watched.keys).toEqual([`v1{shop|user=${hash}}86400`, `v1{shop|user=${hash}}86400`]);
    expect(watched.descriptors()).toEqual([[`user=${hash}`]]);
    expect(await watched.page()).toContain(`total_hits{domain="shop",key1="user_${hash.slice(0, 18)}"} 2`);
    await expectUnseen(watched, user);
  });

  it('counts each value for itself', async () => {
    const { ask } = startWatched({ yaml });
    expect(await ask('user=al', 'user=bo', 'user=al', 'user=', 'user=')).toBe(
      'OK OK OVER_LIMIT OK OVER_LIMIT',
    );
  });

  it('hashes a long value as a whole', async () => {
    const watched = startWatched({ yaml });
    const long = 'secret '.repeat(200);
    const descriptors = [`user=${long}1`, `user=${long}2`, `user=${long}1`];
    expect(await watched.ask(...descriptors)).toBe('OK OK OVER_LIMIT');
    expect(watched.descriptors()).toEqual([[`user=${hashOf(`${long}1`)}`]]);
    await expectUnseen(watched, `${long}1`, `${long}2`);
  });

  it('leaves the rules beside it as they are', async () => {
    const watched = startWatched({ yaml });
    await watched.ask('plan=free', 'plan=free');
    expect(watched.keys[0]).toBe('v1{shop|plan=free}86400');
    expect(watched.descriptors()).toEqual([['plan=free']]);
    expect(await watched.page()).toContain('key1="plan_free"');
  });

  it('shows in labels no more values than others', async () => {
    const watched = startWatched({ yaml });
    for (let i = 0; i < 1_100; i++) await watched.decide(`user=secret ${i}`);
    const page = await watched.page();
    expect(page.match(/total_hits\{domain="shop",key1="user_#~/g)).toHaveLength(1_000);
    expect(page).toContain('total_hits{domain="shop",key1="user_(other)"} 100');
    await expectUnseen(watched, 'secret 1');
  });

  it('of a pattern, an exact value and a shared pattern', async () => {
    const watched = startWatched({
      yaml: `domain: shop
descriptors:
  - {key: user, value: al*, sensitive: true, detailed_metric: true, ${limit}}
  - {key: user, value: bob, sensitive: true, ${limit}}
  - {key: user, value: c*, sensitive: true, share_threshold: true, detailed_metric: true, ${limit}}`,
    });
    await watched.ask(`user=${user}`, `user=${user}`, 'user=bob', 'user=bob', 'user=carol 1', 'user=carol 2');
    const hashes = [user, user, 'bob', 'bob'].map(hashOf);
    expect(watched.keys).toEqual([...hashes, 'c*', 'c*'].map((value) => `v1{shop|user=${value}}86400`));
    expect(watched.descriptors()).toEqual([user, 'bob', 'carol 2'].map((value) => [`user=${hashOf(value)}`]));
    await expectUnseen(watched, user, 'carol');
  });

  it('is the same to Envoy, who sent the request: dynamic metadata repeats it', async () => {
    const { decide } = startWatched({ yaml, dynamicMetadata: true });
    expect((await decide(`user=${user}`)).dynamicMetadata).toMatchObject({
      descriptors: [{ entries: [`user=${user}`] }],
    });
  });
});

describe('a sensitive rule holds for those below it', () => {
  const yaml = `domain: shop
descriptors:
  - key: route
    descriptors:
      - key: user
        sensitive: true
        value_to_metric: true
        descriptors:
          - {key: op, ${limit}}
          - {key: address, value: "192.*", ${limit}}`;

  it('and not for those above', async () => {
    const watched = startWatched({ yaml });
    const descriptors = [
      `route=login, user=${user}, address=${address}`,
      `route=login, user=${user}, op=read`,
    ];
    await watched.ask(...descriptors, ...descriptors);
    const head = `v1{shop|route=login|user=${hashOf(user)}`;
    expect(new Set(watched.keys)).toEqual(
      new Set([`${head}|address=${hashOf(address)}}86400`, `${head}|op=${hashOf('read')}}86400`]),
    );
    expect(watched.descriptors()).toEqual([
      ['route=login', `user=${hashOf(user)}`, `address=${hashOf(address)}`],
      ['route=login', `user=${hashOf(user)}`, `op=${hashOf('read')}`],
    ]);
    await expectUnseen(watched, user, address);
  });

  it.each([
    ['that ends too early', `route=login, user=${user}`, ['route=login', `user=${hashOf(user)}`]],
    [
      'that goes on',
      `route=login, user=${user}, op=read, tail=${address}`,
      ['route=login', `user=${hashOf(user)}`, `op=${hashOf('read')}`, `tail=${hashOf(address)}`],
    ],
    [
      'with another value',
      `route=login, user=${user}, address=${address.replace('192', '198')}`,
      ['route=login', `user=${hashOf(user)}`, `address=${hashOf(address.replace('192', '198'))}`],
    ],
    ['in another order', `user=${user}, route=login`, [`user=${hashOf(user)}`, 'route=login']],
    ['with a misspelt key', `usr=${user}`, [`usr=${hashOf(user)}`]],
  ])('in the line about a descriptor without a rule %s', async (_, text, shown) => {
    const watched = startWatched({ yaml });
    await watched.ask(text);
    expect(watched.descriptors()).toEqual([shown]);
    await expectUnseen(watched, user, address, '198.0.2.77');
  });

  it('in the line about a domain that nobody configured, which may be misspelt', async () => {
    const watched = startWatched({ yaml, domain: 'Shop' });
    await watched.ask(`user=${user}`);
    expect(watched.descriptors()).toEqual([['user=***']]);
  });
});

it('a key that is sensitive in one place is hidden without a rule, and shown by a rule that is not', async () => {
  const watched = startWatched({
    yaml: `domain: shop
descriptors:
  - {key: user, ${limit}}
  - {key: route, descriptors: [{key: user, sensitive: true, ${limit}}]}`,
  });
  await watched.ask('user=open', 'user=open', `user=${user}, more=x`);
  expect(watched.keys).toEqual(['v1{shop|user=open}86400', 'v1{shop|user=open}86400']);
  expect(watched.descriptors()).toEqual([['user=open'], [`user=${hashOf(user)}`, `more=${hashOf('x')}`]]);
});

describe('a limit of the request', () => {
  const yaml = `domain: shop
descriptors:
  - {key: user, sensitive: true, ${limit}}
  - {key: plan, ${limit}}`;
  const override = (text: string) => descriptor(text, { limit: [1, 'DAY'] });

  it('hides values of keys that are sensitive, and of those that no rule has', async () => {
    const watched = startWatched({ yaml });
    const one = override(`plan=free, user=${user}, tenant=${address}`);
    expect(await watched.ask(one, one)).toBe('OK OVER_LIMIT');
    const shown = ['plan=free', `user=${hashOf(user)}`, `tenant=${hashOf(address)}`];
    expect(watched.keys[0]).toBe(`v1{shop|${shown.join('|')}}86400`);
    expect(watched.descriptors()).toEqual([shown]);
    await expectUnseen(watched, user, address);
  });

  it('has the key that it always had where nothing is sensitive', async () => {
    const watched = startWatched({ yaml: yaml.replace('sensitive: true, ', '') });
    await watched.ask(override(`plan=free, user=${user}`));
    expect(watched.keys).toEqual([`v1{shop|plan=free|user=${user}}86400`]);
  });
});

describe.each([
  ['a sensitive domain', 'domain: shop\nsensitive: true', false],
  ['SENSITIVE_VALUES=true', 'domain: shop', true],
  ['SENSITIVE_VALUES=true, and a domain that says otherwise', 'domain: shop\nsensitive: false', true],
])('%s', (_, top, everywhere) => {
  const yaml = `${top}
descriptors:
  - key: plan
    value: free
    descriptors: [{key: user, detailed_metric: true, ${limit}}]`;

  it('hides all values, also of limits of requests and of what no rule matches', async () => {
    const watched = startWatched({ yaml, everywhere });
    const rule = `plan=free, user=${user}`;
    const override = descriptor(`plan=free, address=${address}`, { limit: [1, 'DAY'] });
    await watched.ask(rule, rule, override, override, 'plan=of Dora', 'user=Emil', 'plan=free, x=Fay');
    const plan = `plan=${hashOf('free')}`;
    expect(watched.descriptors()).toEqual([
      [plan, `user=${hashOf(user)}`],
      [plan, `address=${hashOf(address)}`],
      [`plan=${hashOf('of Dora')}`],
      [`user=${hashOf('Emil')}`],
      [plan, `x=${hashOf('Fay')}`],
    ]);
    expect(new Set(watched.keys)).toEqual(
      new Set([
        `v1{shop|${plan}|user=${hashOf(user)}}86400`,
        `v1{shop|${plan}|address=${hashOf(address)}}86400`,
      ]),
    );
    await expectUnseen(watched, user, address, 'Dora', 'Emil', 'Fay');
  });

  it('leaves readable what the configuration itself says', async () => {
    const watched = startWatched({ yaml, everywhere });
    await watched.ask(`plan=free, user=${user}`, `plan=free, user=${user}`);
    expect(watched.lines.map((line) => JSON.parse(line).rule)).toEqual(['shop.plan_free.user']);
    expect(await watched.page()).toContain('key1="plan_free"');
  });
});

it('X05: the secret is nowhere', async () => {
  const watched = startWatched({
    yaml: `domain: shop\nsensitive: true\ndescriptors: [{key: user, ${limit}}]`,
  });
  await watched.ask('user=a', 'user=a', 'other=a');
  await expectUnseen(watched, secret);
});
