import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { RateLimitConfig, RateLimitUnit } from '../../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type GoAdsServer, startGoAdsServer } from '../../support/go-ads-server.ts';
import { httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Authority, type CertificatePair, createAuthority } from '../server/certificates.ts';
import { startWeirOnXds, xdsSettings } from './start-weir-on-xds.ts';

const shop = (requestsPerUnit: number) =>
  RateLimitConfig.fromPartial({
    name: 'shop',
    domain: 'shop',
    descriptors: [{ key: 'ip', rateLimit: { unit: RateLimitUnit.HOUR, requestsPerUnit } }],
  });

describeWithTools(['ads-server', 'openssl'], 'TLS to the control plane', () => {
  let folder: string;
  let authority: Authority;
  let other: Authority;
  let server: CertificatePair;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-xds-tls-'));
    authority = createAuthority(join(folder, 'authority'));
    other = createAuthority(join(folder, 'other'));
    server = authority.issue('server', 'DNS:xds.test,IP:127.0.0.1');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function startServer(clientCaFile?: string, port = 0): Promise<GoAdsServer> {
    const tls = { ...server, ...(clientCaFile !== undefined && { clientCaFile }) };
    const started = await startGoAdsServer({ port, tls });
    onTestFinished(() => void started.stop());
    await started.set('1', [shop(1)]);
    return started;
  }

  const trusting = (file: string) => ({
    CONFIG_GRPC_XDS_SERVER_USE_TLS: 'true',
    CONFIG_GRPC_XDS_SERVER_TLS_CACERT: file,
  });
  const showing = ({ certFile, keyFile }: CertificatePair) => ({
    CONFIG_GRPC_XDS_CLIENT_TLS_CERT: certFile,
    CONFIG_GRPC_XDS_CLIENT_TLS_KEY: keyFile,
  });

  /** Why the server cannot be reached, as the log says it. */
  function reasonOf(weir: RunningWeir): Promise<string> {
    return waitUntil('the reason', () => {
      const line = weir
        .log()
        .find(({ '@message': text }) => String(text).includes('xDS server cannot be reached'));
      return line && String(line['reason']);
    });
  }

  it('with the address, or another name, in the certificate', async () => {
    const { address } = await startServer();
    await startWeirOnXds(address, { env: trusting(authority.file) });
    await startWeirOnXds(address, {
      env: { ...trusting(authority.file), CONFIG_GRPC_XDS_SERVER_TLS_SAN: 'xds.test' },
    });
  });

  it('mutual', async () => {
    const { address } = await startServer(authority.file);
    const env = { ...trusting(authority.file), ...showing(authority.issue('weir', 'DNS:weir.test')) };
    await startWeirOnXds(address, { env });
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'has another name',
      () => ({ ...trusting(authority.file), CONFIG_GRPC_XDS_SERVER_TLS_SAN: 'blog.test' }),
      /blog\.test/,
    ],
    ['comes from another authority', () => trusting(other.file), /certificate/],
  ])('refuses a server whose certificate %s', async (_, env, reason) => {
    const { address, requests } = await startServer();
    const weir = await startWeirOnXds(address, { env: env(), untilReady: false });
    expect(await reasonOf(weir)).toMatch(reason);
    expect(await requests()).toEqual([]);
  });

  it('is refused without a certificate, where the server asks for one', async () => {
    const { address } = await startServer(authority.file);
    const weir = await startWeirOnXds(address, { env: trusting(authority.file), untilReady: false });
    expect(await reasonOf(weir)).toMatch(/alert certificate required/);
    const { status } = await httpCall({ address: weir.address('http'), path: '/readyz' });
    expect(status).toBe(503);
  });

  it('takes a certificate that was renewed with the next connection', async () => {
    const first = await startServer(authority.file);
    const wrong = other.issue('weir', 'DNS:weir.test');
    const right = authority.issue('renewed', 'DNS:weir.test');
    const files = { certFile: join(folder, 'weir.crt'), keyFile: join(folder, 'weir.key') };
    const put = ({ certFile, keyFile }: CertificatePair) => {
      copyFileSync(certFile, files.certFile);
      copyFileSync(keyFile, files.keyFile);
    };
    put(wrong);
    const weir = await startWeirOnXds(first.address, {
      env: { ...trusting(authority.file), ...showing(files) },
      untilReady: false,
    });
    expect(await reasonOf(weir)).toMatch(/alert/);
    expect(await first.requests()).toEqual([]);
    put(right);
    await first.untilAccepted('1');
  });

  it('ends the start with a sentence when a file is missing', async () => {
    const env = { ...xdsSettings('127.0.0.1:1'), ...trusting('/none/ca.crt') };
    await expect(startWeir({ rules: '/nowhere/service/config', env })).rejects.toThrow(
      /CONFIG_GRPC_XDS_SERVER_TLS_CACERT: \/none\/ca\.crt cannot be read \(ENOENT\)/,
    );
  });
});
