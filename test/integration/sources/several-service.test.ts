import { expect, it, onTestFinished } from 'vitest';
import { startAdsServer } from '../../support/ads-server.ts';
import { startFakeConsul } from '../../support/fake-consul.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { xdsSettings } from '../xds/start-weir-on-xds.ts';
import { brokenResource, limitResource } from '../xds/xds-fixture.ts';
import { rulesFile } from './rules-files.ts';
import { metricsOf, rulesOf, untilRules } from './rules-of.ts';
import { startWeirOn } from './start-weir-on.ts';

it('a control plane beside files is told of its own resources only, and keeps its last good ones', async () => {
  const server = await startAdsServer();
  onTestFinished(() => server.stop());
  server.set('1', [limitResource('shop', 5)]);
  const weir = await startWeirOn(
    { ...xdsSettings(server.address), CONFIG_TYPE: 'FILE,GRPC_XDS_SOTW' },
    {
      rules: {
        'shop.yaml': rulesFile('shop', 1),
        'blog.yaml': rulesFile('blog', 1),
        'bad.yaml': rulesFile('bad', undefined),
      },
    },
  );
  await untilRules(weir, 'blog.ip: 1', 'shop.ip: 5');
  await waitUntil('the acknowledgement', () => server.requests.at(-1)?.versionInfo === '1');
  expect(await metricsOf(weir)).toContain('weir_config_last_load_ok 0');
  server.set('2', [limitResource('shop', 6), brokenResource('wiki')]);
  await waitUntil('the refusal', () => server.requests.at(-1)?.errorDetail !== undefined);
  expect(server.requests.at(-1)?.errorDetail?.message).not.toContain('bad.yaml');
  expect((await rulesOf(weir)).sort()).toEqual(['blog.ip: 1', 'shop.ip: 5']);
  server.set('3', []);
  await untilRules(weir, 'blog.ip: 1', 'shop.ip: 1');
});

it('of three sources the order of the list counts, not that of their answers', async () => {
  const consul = await startFakeConsul();
  onTestFinished(() => consul.stop());
  const server = await startAdsServer();
  onTestFinished(() => server.stop());
  consul.put({ 'weir/rules/shop': rulesFile('shop', 7) });
  const weir = await startWeirOn(
    {
      ...xdsSettings(server.address),
      CONFIG_TYPE: 'GRPC_XDS_SOTW,FILE,CONSUL',
      CONFIG_CONSUL_ADDRESS: consul.address,
    },
    { rules: { 'shop.yaml': rulesFile('shop', 1), 'blog.yaml': rulesFile('blog', 1) }, untilReady: false },
  );
  await untilRules(weir, 'blog.ip: 1', 'shop.ip: 7');
  server.set('1', [limitResource('shop', 5), limitResource('blog', 5), limitResource('wiki', 5)]);
  await untilRules(weir, 'blog.ip: 1', 'shop.ip: 7', 'wiki.ip: 5');
  expect(await metricsOf(weir)).toContain('weir_config_issues{severity="lint"} 3');
  consul.put({ 'weir/rules/shop': undefined });
  await untilRules(weir, 'blog.ip: 1', 'shop.ip: 1', 'wiki.ip: 5');
});
