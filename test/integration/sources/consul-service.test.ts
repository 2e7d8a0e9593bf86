import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeConsul } from '../../support/fake-consul.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { rulesFile } from './rules-files.ts';
import { metricsOf, rulesOf, untilRules } from './rules-of.ts';
import { startWeirOn } from './start-weir-on.ts';

it('a service with rules from Consul follows the keys, takes a new token from its file, and shows neither', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-consul-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'token');
  writeFileSync(file, 's3cret-1\n');
  const consul = await startFakeConsul();
  onTestFinished(() => consul.stop());
  consul.allow('s3cret-1', ['weir/rules/']);
  consul.allow('s3cret-2', ['weir/rules/']);
  consul.put({ 'weir/rules/shop': rulesFile('shop', 1) });
  const weir = await startWeirOn({
    CONFIG_TYPE: 'CONSUL',
    CONFIG_CONSUL_ADDRESS: consul.address,
    CONFIG_CONSUL_TOKEN_FILE: file,
    CONFIG_CONSUL_WAIT: '1s',
    LOG_LEVEL: 'trace',
  });
  expect(await rulesOf(weir)).toEqual(['shop.ip: 1']);
  writeFileSync(file, 's3cret-2\n');
  consul.put({ 'weir/rules/shop': rulesFile('shop', 2), 'weir/rules/teams/blog': rulesFile('blog', 1) });
  await untilRules(weir, 'blog.ip: 1', 'shop.ip: 2');
  await waitUntil('the new token', () => consul.requests.at(-1)?.token === 's3cret-2');
  expect(await metricsOf(weir)).toContain('weir_config_source_connected{source="consul"} 1');
  await consul.stop();
  await waitUntil('the loss', async () => (await metricsOf(weir)).includes('connected{source="consul"} 0'));
  expect((await rulesOf(weir)).sort()).toEqual(['blog.ip: 1', 'shop.ip: 2']);
  expect(weir.lines.join('\n')).not.toContain('s3cret');
});
