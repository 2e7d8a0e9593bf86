import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { makeE2eCertificates } from '../support/e2e-certificates.ts';
import { startStack, withPatience } from '../support/start-stack.ts';

describeWithTools(['envoy', 'openssl'], 'TLS between Envoy and Weir', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-e2e-tls-'));
    makeE2eCertificates(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const withoutClientCertificate = (text: string) => text.replace(/^ +tls_certificates:\n(.*\n){2}/m, '');
  const expectingAnotherName = (text: string) =>
    text.replace('exact: server.e2e.test', 'exact: another.e2e.test');

  /** One request through an Envoy and a Weir of its own. */
  async function callOnce(settings: Record<string, string>, edit: (text: string) => string = (text) => text) {
    const env = {
      GRPC_SERVER_USE_TLS: 'true',
      GRPC_SERVER_TLS_CERT: join(folder, 'server.crt'),
      GRPC_SERVER_TLS_KEY: join(folder, 'server.key'),
      ...settings,
    };
    await using stack = await startStack({
      bootstrap: 'envoy-e2e-variants/tls.yaml',
      env,
      cwd: folder,
      edit: (text) => edit(withPatience(text)),
    });
    const { status, headers } = await stack.call('/header', { headers: { 'x-api-key': 'tls' } });
    return { status, remaining: headers['x-ratelimit-remaining'] };
  }

  const served = { status: 200, remaining: '3' };
  const refused = { status: 500, remaining: undefined };

  it('without client certificates', async () => {
    expect(await callOnce({}, withoutClientCertificate)).toEqual(served);
  });

  it('mutual, with the name of the client checked', async () => {
    const mutual = {
      GRPC_CLIENT_TLS_CACERT: join(folder, 'ca.crt'),
      GRPC_CLIENT_TLS_SAN: 'client.e2e.test',
    };
    expect(await callOnce(mutual)).toEqual(served);
    expect(await callOnce(mutual, withoutClientCertificate)).toEqual(refused);
    expect(await callOnce({ ...mutual, GRPC_CLIENT_TLS_SAN: 'another.e2e.test' })).toEqual(refused);
  });

  it('Envoy refuses a server of another name', async () => {
    expect(await callOnce({}, expectingAnotherName)).toEqual(refused);
  });
});
