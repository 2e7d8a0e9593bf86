import { createSign, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../../scripts/run-command.ts';
import { codeBlocks, readText, root, sectionOf, tableRows } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { startUpstream } from '../support/start-upstream.ts';
import { startWeir } from '../support/start-weir.ts';
import { connectionManagerOf, hostOf, limitIn, startExample } from './example-envoy.ts';

const page = readText('docs/tiers.md');
const rules = join(root, 'examples/tiers/config');
const [jwtFilter = '', actions = '', contract = ''] = codeBlocks(page, 'yaml');

/** Who signs tokens here. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', kid: 'test' })}.${part({ iss: 'https://login.example.com', ...claims })}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
}

describe('docs/tiers.md', () => {
  const commands = codeBlocks(page, 'sh').flatMap((block) => block.trim().split('\n'));
  const explain = async (plan: string) => {
    const command = (commands[0] ?? '').replace('plan=pro', `plan=${plan}`).replace(/^npx weir /, '');
    return (await runCommand(process.execPath, ['bin/weir.js', ...command.split(' ')], { cwd: root })).output;
  };

  it('its commands show a tier each', () => {
    expect(commands).toHaveLength(3);
    for (const command of commands)
      expect(command).toMatch(/^npx weir explain -c examples\/tiers\/config -d tiers plan=/);
  });

  it.each([
    ['free', 'free'],
    ['pro', 'pro'],
    ['enterprise-eu', '`enterprise`, `enterprise-eu`'],
    ['gold', 'anything else'],
  ])('the plan %s has the rule and the limit of the table', async (plan, row) => {
    const rows = tableRows(sectionOf(page, '## Which tier somebody gets'));
    const [, rule = '', limit = ''] = rows.find(([name]) => name?.replace(/^`(\w+)`$/, '$1') === row) ?? [];
    const explained = await explain(plan);
    expect(explained).toContain(`=> rule ${rule.replaceAll('`', '')} `);
    expect(explained).toContain(`${limit.replace(',', '').replace(' a ', ' per ')}, name`);
  });

  it('a contract as a rule fits beside the others', async () => {
    const file = parse(readText('examples/tiers/config/tiers.yaml')) as { descriptors: object[] };
    file.descriptors.unshift(...(parse(contract) as object[]));
    await using weir = await startWeir({ rules: { 'tiers.yaml': JSON.stringify(file) } });
    const entries = [
      { key: 'plan', value: 'enterprise-acme' },
      { key: 'user', value: 'ann' },
    ];
    const body = JSON.stringify({ domain: 'tiers', descriptors: [{ entries }] });
    const answer = await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
    expect(JSON.parse(answer.body)).toMatchObject({
      statuses: [{ currentLimit: { name: 'acme', requestsPerUnit: 9000, unit: 'HOUR' } }],
    });
  });
});

describeWithTools(['envoy'], 'docs/tiers.md, in an Envoy', () => {
  const started = new AsyncDisposableStack();
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-tiers-'));
    started.defer(() => rm(folder, { recursive: true, force: true }));
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256' };
    await writeFile(join(folder, 'jwks.json'), JSON.stringify({ keys: [key] }));
    const upstream = started.use(await startUpstream());
    const weir = started.use(await startWeir({ rules, env: { BACKEND_TYPE: 'memory' } }));
    envoy = started.use(
      await startExample({ weir, upstream }, (bootstrap) => {
        const { http_filters } = connectionManagerOf(bootstrap);
        const [ask] = http_filters as [{ typed_config: { domain: string } }];
        ask.typed_config.domain = 'tiers';
        http_filters.unshift(parse(jwtFilter.replace('/keys/', `${folder}/`)) as object);
        Object.assign(hostOf(bootstrap), {
          routes: [{ match: { prefix: '/' }, route: { cluster: 'service' } }],
          ...(parse(actions) as object),
        });
      }),
    );
  });
  afterAll(() => started.disposeAsync());

  const limitOf = async (claims: object) => {
    const headers = { authorization: `Bearer ${tokenOf(claims)}` };
    return limitIn(await httpCall({ address: envoy.listener(10000), path: '/', headers }));
  };

  it.each([
    ['the plan of the token', { sub: 'ann', plan: 'pro' }, '600, 600;w=60;name="pro"'],
    ['a plan of a family', { sub: 'bob', plan: 'enterprise-eu' }, '6000, 6000;w=60;name="enterprise"'],
    ['no plan', { sub: 'carl' }, '10, 10;w=60;name="no-plan"'],
    ['a plan that nobody knows', { sub: 'dora', plan: 'gold' }, '10, 10;w=60;name="no-plan"'],
    [
      'a contract',
      { sub: 'emma', plan: 'pro', limit: { requests_per_unit: 9000, unit: 'HOUR' } },
      '9000, 9000;w=3600',
    ],
  ])('%s', async (_, claims, limit) => {
    expect(await limitOf(claims)).toEqual([200, limit]);
  });
});
