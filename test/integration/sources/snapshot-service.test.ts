import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAdsServer } from '../../support/ads-server.ts';
import { startDocumentServer } from '../../support/document-server.ts';
import { freePort } from '../../support/free-port.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { temporaryDirectory } from '../config/temporary-directory.ts';
import { xdsSettings } from '../xds/start-weir-on-xds.ts';
import { limitResource } from '../xds/xds-fixture.ts';
import { rulesFile } from './rules-files.ts';
import { isReady, metricsOf, rulesOf, untilRules } from './rules-of.ts';
import { startWeirOn } from './start-weir-on.ts';

describe('CONFIG_SNAPSHOT_PATH', () => {
  it('gives a service that starts while a URL is away the rules that it last had, and says so', async () => {
    const folder = join(await temporaryDirectory(), 'kept');
    const port = await freePort();
    const server = await startDocumentServer({ port });
    server.set('/shop.yaml', rulesFile('shop', 1));
    const env = {
      CONFIG_TYPE: 'HTTP',
      CONFIG_HTTP_URLS: `${server.origin}/shop.yaml`,
      CONFIG_HTTP_POLL_INTERVAL: '50ms',
      CONFIG_SNAPSHOT_PATH: folder,
    };
    const first = await startWeirOn(env);
    await waitUntil('the file', () => readFileSync(join(folder, 'http.snapshot')).length > 0);
    await first.stop();
    await server.stop();

    const second = await startWeirOn(env);
    expect(await rulesOf(second)).toEqual(['shop.ip: 1']);
    expect(await isReady(second)).toBe(true);
    expect(await metricsOf(second)).toContain('weir_config_source_restored{source="http"} 1');
    expect(second.log()).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        '@message': 'rules restored from disk; they count until the source answers',
        source: 'http',
      }),
    );
    const again = await startDocumentServer({ port });
    onTestFinished(() => again.stop());
    again.set('/shop.yaml', rulesFile('shop', 2));
    await untilRules(second, 'shop.ip: 2');
    await waitUntil('the metric', async () =>
      (await metricsOf(second)).includes('restored{source="http"} 0'),
    );
  });

  it('does the same for a control plane', async () => {
    const folder = await temporaryDirectory();
    const port = await freePort();
    const server = await startAdsServer({ port });
    server.set('1', [limitResource('shop', 3)]);
    const env = { ...xdsSettings(server.address), CONFIG_SNAPSHOT_PATH: folder };
    const first = await startWeirOn(env);
    await waitUntil('the file', () => readFileSync(join(folder, 'xds.snapshot')).length > 0);
    await first.stop();
    await server.stop();

    const second = await startWeirOn(env);
    expect(await rulesOf(second)).toEqual(['shop.ip: 3']);
    const again = await startAdsServer({ port });
    onTestFinished(() => again.stop());
    again.set('1', [limitResource('shop', 4)]);
    await untilRules(second, 'shop.ip: 4');
    await waitUntil('the acknowledgement', () => again.requests.at(-1)?.versionInfo === '1');
    expect(again.requests.map(({ errorDetail }) => errorDetail)).toEqual([undefined, undefined]);
  });

  it('starts without rules, and says why, where what was kept is damaged', async () => {
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'http.snapshot'), 'weir-snapshot 1 and so on');
    const weir = await startWeirOn(
      {
        CONFIG_TYPE: 'HTTP',
        CONFIG_HTTP_URLS: `http://127.0.0.1:${await freePort()}/shop.yaml`,
        CONFIG_SNAPSHOT_PATH: folder,
      },
      { untilReady: false },
    );
    const line = await waitUntil('the line', () =>
      weir.log().find(({ '@message': text }) => String(text).includes('kept on disk cannot be used')),
    );
    expect(line).toMatchObject({
      level: 'error',
      source: 'http',
      reason: expect.stringContaining('SHA-256'),
    });
    expect(await isReady(weir)).toBe(false);
    expect(await metricsOf(weir)).toContain('weir_config_source_keep_failures_total{source="http"} 1');
  });
});
