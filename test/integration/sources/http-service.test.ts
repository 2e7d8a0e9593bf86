import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type DocumentServerOptions, startDocumentServer } from '../../support/document-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Authority, createAuthority } from '../server/certificates.ts';
import { rulesFile } from './rules-files.ts';
import { isReady, metricsOf, rulesOf, untilRules } from './rules-of.ts';
import { startWeirOn } from './start-weir-on.ts';

async function startServer(options: DocumentServerOptions = {}) {
  const server = await startDocumentServer(options);
  onTestFinished(() => server.stop());
  return server;
}

const fromUrl = (url: string) => ({
  CONFIG_TYPE: 'HTTP',
  CONFIG_HTTP_URLS: url,
  CONFIG_HTTP_POLL_INTERVAL: '50ms',
});

describe('a service with rules from a URL', () => {
  it('is ready when they are there, follows them, and keeps them when the server is away', async () => {
    const server = await startServer();
    const weir = await startWeirOn(fromUrl(`${server.origin}/shop.yaml`), { untilReady: false });
    await waitUntil('a first try', () => server.requests.length > 0);
    expect(await isReady(weir)).toBe(false);
    server.set('/shop.yaml', rulesFile('shop', 1));
    await untilRules(weir, 'shop.ip: 1');
    expect(await isReady(weir)).toBe(true);
    server.set('/shop.yaml', rulesFile('shop', 2));
    await untilRules(weir, 'shop.ip: 2');
    expect(await metricsOf(weir)).toContain('weir_config_source_connected{source="http"} 1');
    await server.stop();
    await waitUntil('the loss', async () =>
      (await metricsOf(weir)).includes('source_connected{source="http"} 0'),
    );
    expect(await rulesOf(weir)).toEqual(['shop.ip: 2']);
    expect(await isReady(weir)).toBe(true);
    expect(weir.log()).toContainEqual(
      expect.objectContaining({
        '@message': 'a source of rules cannot be read; it is tried again',
        source: 'http',
      }),
    );
  });

  it('sends its token, takes a new one from the file, and shows neither', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-token-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'token');
    writeFileSync(file, 's3cret-1\n');
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1));
    const weir = await startWeirOn({
      ...fromUrl(`${server.origin}/shop.yaml?signature=s3cret-3`),
      CONFIG_HTTP_TOKEN_FILE: file,
      CONFIG_HTTP_HEADERS: 'x-tenant:s3cret-4',
      LOG_LEVEL: 'trace',
    });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer s3cret-1',
      'x-tenant': 's3cret-4',
    });
    writeFileSync(file, 's3cret-2\n');
    await waitUntil(
      'the new token',
      () => server.requests.at(-1)?.headers.authorization === 'Bearer s3cret-2',
    );
    server.set('/shop.yaml', undefined);
    await waitUntil('a line about it', () => weir.lines.some((line) => line.includes('HTTP status 404')));
    expect(weir.lines.join('\n')).not.toContain('s3cret');
  });
});

describe('a service with rules from files and from a URL', () => {
  it('is ready when both are there, and has the domain of the later one', async () => {
    const server = await startServer();
    const weir = await startWeirOn(
      { ...fromUrl(`${server.origin}/shop.yaml`), CONFIG_TYPE: 'FILE,HTTP' },
      { rules: { 'shop.yaml': rulesFile('shop', 1), 'blog.yaml': rulesFile('blog', 1) }, untilReady: false },
    );
    await untilRules(weir, 'blog.ip: 1', 'shop.ip: 1');
    expect(await isReady(weir)).toBe(false);
    server.set('/shop.yaml', rulesFile('shop', 9));
    await untilRules(weir, 'blog.ip: 1', 'shop.ip: 9');
    expect(await isReady(weir)).toBe(true);
    expect(weir.log()).toContainEqual(
      expect.objectContaining({
        code: 'domain-overridden',
        file: expect.stringMatching(/config\/shop\.yaml$/),
      }),
    );
    expect(await metricsOf(weir)).toContain('weir_config_issues{severity="lint"} 1');
    server.set('/shop.yaml', 'gone');
    await untilRules(weir, 'blog.ip: 1', 'shop.ip: 1');
  });
});

describeWithTools(['openssl'], 'TLS to the server of a URL', () => {
  let folder: string;
  let authority: Authority;
  let other: Authority;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-http-tls-'));
    authority = createAuthority(join(folder, 'authority'));
    other = createAuthority(join(folder, 'other'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function startSecure(requestCert = false) {
    const { certFile, keyFile } = authority.issue('server', 'DNS:rules.test,IP:127.0.0.1');
    const tls = {
      cert: readFileSync(certFile),
      key: readFileSync(keyFile),
      ca: readFileSync(authority.file),
    };
    const server = await startServer({ tls: { ...tls, requestCert } });
    server.set('/shop.yaml', rulesFile('shop', 1));
    return server;
  }

  it('mutual, with an authority of its own', async () => {
    const { origin } = await startSecure(true);
    const { certFile, keyFile } = authority.issue('weir', 'DNS:weir.test');
    const weir = await startWeirOn({
      ...fromUrl(`${origin}/shop.yaml`),
      CONFIG_HTTP_TLS_CACERT: authority.file,
      CONFIG_HTTP_TLS_CLIENT_CERT: certFile,
      CONFIG_HTTP_TLS_CLIENT_KEY: keyFile,
    });
    expect(await rulesOf(weir)).toEqual(['shop.ip: 1']);
  });

  it.each<[string, () => Record<string, string>, string, RegExp]>([
    ['from another authority', () => ({ CONFIG_HTTP_TLS_CACERT: other.file }), '127.0.0.1', /certificate/],
    ['from nobody that is known', () => ({}), '127.0.0.1', /certificate/],
    ['for another name', () => ({ CONFIG_HTTP_TLS_CACERT: authority.file }), 'localhost', /localhost/],
  ])('is not made where the certificate is %s', async (_, env, host, reason) => {
    const server = await startSecure();
    const weir = await startWeirOn(
      { ...fromUrl(`https://${host}:${server.port}/shop.yaml`), ...env() },
      { untilReady: false },
    );
    const line = await waitUntil('the reason', () =>
      weir.log().find(({ source, reason }) => source === 'http' && reason),
    );
    expect(line['reason']).toMatch(reason);
    expect(server.requests).toEqual([]);
  });

  it('ends the start with a sentence when a file is missing', async () => {
    const env = { ...fromUrl('https://127.0.0.1:1/a'), CONFIG_HTTP_TLS_CACERT: '/none/ca.crt' };
    await expect(startWeirOn(env)).rejects.toThrow(
      /CONFIG_HTTP_TLS_CACERT: \/none\/ca\.crt cannot be read \(ENOENT\)/,
    );
  });
});
