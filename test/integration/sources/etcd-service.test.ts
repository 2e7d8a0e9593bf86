import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type EtcdServer, startEtcd } from '../../support/start-etcd.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Authority, createAuthority } from '../server/certificates.ts';
import { rulesFile } from './rules-files.ts';
import { metricsOf, rulesOf, untilRules } from './rules-of.ts';
import { startWeirOn } from './start-weir-on.ts';

const fromEtcd = (endpoint: string) => ({
  CONFIG_TYPE: 'ETCD',
  CONFIG_ETCD_ENDPOINTS: endpoint,
  CONFIG_ETCD_PREFIX: '/weir/',
});

describeWithTools(['etcd', 'openssl'], 'a service with rules from etcd', () => {
  let folder: string;
  let authority: Authority;
  let secure: EtcdServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-etcd-tls-'));
    authority = createAuthority(join(folder, 'authority'));
    const server = authority.issue('server', 'DNS:etcd.test,IP:127.0.0.1');
    secure = await startEtcd({ tls: { ...server, clientCaFile: authority.file } });
    await secure.put({ '/weir/shop': rulesFile('shop', 1) });
  });
  afterAll(async () => {
    await secure?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('logs in with a password from a file, follows the keys, and shows no secret', async () => {
    const file = join(folder, 'password');
    writeFileSync(file, 's3cret\n');
    const etcd = await startEtcd();
    onTestFinished(() => void etcd.stop());
    await etcd.put({ '/weir/shop': rulesFile('shop', 1) });
    await etcd.enableAuth({ name: 'weir', password: 's3cret', prefix: '/weir/' });
    const weir = await startWeirOn({
      ...fromEtcd(`http://${etcd.address}`),
      CONFIG_ETCD_USER: 'weir',
      CONFIG_ETCD_PASSWORD_FILE: file,
      LOG_LEVEL: 'trace',
    });
    expect(await rulesOf(weir)).toEqual(['shop.ip: 1']);
    await etcd.put({ '/weir/shop': rulesFile('shop', 2), '/weir/blog': rulesFile('blog', 1) });
    await untilRules(weir, 'blog.ip: 1', 'shop.ip: 2');
    expect(await metricsOf(weir)).toContain('weir_config_source_connected{source="etcd"} 1');
    await etcd.stop();
    await waitUntil('the loss', async () => (await metricsOf(weir)).includes('connected{source="etcd"} 0'));
    expect((await rulesOf(weir)).sort()).toEqual(['blog.ip: 1', 'shop.ip: 2']);
    expect(weir.lines.join('\n')).not.toContain('s3cret');
  });

  it('speaks TLS, mutually', async () => {
    const { certFile, keyFile } = authority.issue('weir', 'DNS:weir.test');
    const weir = await startWeirOn({
      ...fromEtcd(`https://${secure.secureAddress}`),
      CONFIG_ETCD_TLS_CACERT: authority.file,
      CONFIG_ETCD_TLS_CLIENT_CERT: certFile,
      CONFIG_ETCD_TLS_CLIENT_KEY: keyFile,
    });
    expect(await rulesOf(weir)).toEqual(['shop.ip: 1']);
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'without a certificate of ours',
      () => ({ CONFIG_ETCD_TLS_CACERT: authority.file }),
      /certificate required|bad certificate/,
    ],
    ['where the authority is not known', () => ({}), /certificate/],
  ])('is not ready %s', async (_, env, reason) => {
    const weir = await startWeirOn(
      { ...fromEtcd(`https://${secure.secureAddress}`), ...env() },
      { untilReady: false },
    );
    const line = await waitUntil('the reason', () =>
      weir.log().find(({ source, reason }) => source === 'etcd' && reason),
    );
    expect(line['reason']).toMatch(reason);
    expect(await rulesOf(weir)).toEqual([]);
  });
});
