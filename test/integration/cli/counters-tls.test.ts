import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Authority, createAuthority } from '../server/certificates.ts';
import { runWeir } from './run-weir.ts';

describeWithTools(['openssl'], 'weir counters with TLS', () => {
  let folder: string;
  let authority: Authority;
  let weir: RunningWeir;
  let client: ReturnType<Authority['issue']>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-counters-tls-'));
    authority = createAuthority(join(folder, 'authority'));
    const server = authority.issue('server', 'DNS:weir.test');
    client = authority.issue('client', 'DNS:operator.test');
    weir = await startWeir({
      rules: { 'shop.yaml': baseRules },
      env: {
        BACKEND_TYPE: 'memory',
        DEBUG_TLS_CERT: server.certFile,
        DEBUG_TLS_KEY: server.keyFile,
        DEBUG_TLS_CLIENT_CACERT: authority.file,
      },
    });
  });
  afterAll(async () => {
    await weir.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const grant = (...args: string[]) => {
    const address = `https://${weir.address('debug')}`;
    const tls = ['--ca', authority.file, ...args];
    return runWeir(['counters', 'grant', '-d', 'shop', '-a', address, '--hits', '5', ...tls, 'ip=x']);
  };
  const own = () => ['--cert', client.certFile, '--key', client.keyFile];

  it('who has a certificate needs no token, and is named in the log', async () => {
    expect(await grant('--server-name', 'weir.test', ...own())).toMatchObject({ status: 0, err: '' });
    const line = await waitUntil('the line', () =>
      weir.log().find((one) => one['@message'] === 'counters were changed'),
    );
    expect(line).toMatchObject({ operation: 'grant', hits: 5, client: 'CN=localhost' });
  });

  it('refuses a server of another name, and is refused without a certificate', async () => {
    const other = await grant(...own());
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining("certificate's altnames") });
    expect(await grant('--server-name', 'weir.test')).toMatchObject({ status: 2, out: '' });
  });
});
