import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { type Authority, createAuthority } from '../server/certificates.ts';
import { runWeir } from './run-weir.ts';

type KeyPair = ReturnType<Authority['issue']>;

describeWithTools(['openssl'], 'weir call with TLS', () => {
  let folder: string;
  let authority: Authority;
  let byAddress: KeyPair;
  let byName: KeyPair;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-call-tls-'));
    authority = createAuthority(join(folder, 'authority'));
    byAddress = authority.issue('address', 'IP:127.0.0.1');
    byName = authority.issue('name', 'DNS:weir.test');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function serve({ certFile, keyFile }: KeyPair, env: Record<string, string> = {}): Promise<RunningWeir> {
    const tls = {
      GRPC_SERVER_USE_TLS: 'true',
      GRPC_SERVER_TLS_CERT: certFile,
      GRPC_SERVER_TLS_KEY: keyFile,
    };
    return startWeir({ rules: { 'shop.yaml': baseRules }, env: { BACKEND_TYPE: 'memory', ...tls, ...env } });
  }

  function call(target: string, ...args: string[]) {
    return runWeir(['call', '-t', target, '-d', 'shop', '--ca', authority.file, ...args, 'ip=x']);
  }

  it('takes an address for which the certificate is', async () => {
    await using weir = await serve(byAddress);
    for (const target of [weir.address('grpc'), `ipv4:${weir.address('grpc')}`]) {
      expect(await call(target)).toMatchObject({ status: 0, err: '' });
    }
    const other = await call(weir.address('grpc'), '--server-name', '192.0.2.1');
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining('does not match') });
    const untrusted = await runWeir(['call', '-t', weir.address('grpc'), '-d', 'shop', '--tls', 'ip=x']);
    expect(untrusted).toMatchObject({ status: 2, err: expect.stringContaining('certificate') });
  });

  it('refuses an address for which it is not, unless told the name', async () => {
    await using weir = await serve(byName);
    const target = weir.address('grpc');
    expect(await call(target)).toMatchObject({ status: 2, err: expect.stringContaining('does not match') });
    expect(await call(target, '--server-name', 'weir.test')).toMatchObject({ status: 0, err: '' });
    const other = await call(target, '--server-name', 'other.test');
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining('does not match') });
  });

  it('shows a certificate of the client', async () => {
    const { certFile, keyFile } = authority.issue('client', 'DNS:client.test');
    await using weir = await serve(byAddress, { GRPC_CLIENT_TLS_CACERT: authority.file });
    expect((await call(weir.address('grpc'))).status).toBe(2);
    expect(await call(weir.address('grpc'), '--cert', certFile, '--key', keyFile)).toMatchObject({
      status: 0,
      err: '',
    });
  });

  it.each([
    [[], false],
    [['--server-name', 'weir.test'], 'weir.test'],
  ])('with %o the server name indication of an address is %s', async (args, name) => {
    const both = authority.issue('both', 'IP:127.0.0.1,DNS:weir.test');
    const pair = { cert: readFileSync(both.certFile), key: readFileSync(both.keyFile) };
    const names: (string | false | null)[] = [];
    const server = createServer({ ...pair, ALPNProtocols: ['h2'] }, (socket) => {
      names.push(socket.servername);
      socket.destroy();
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { status } = await call(`127.0.0.1:${(server.address() as AddressInfo).port}`, ...args);
    expect(status).toBe(2);
    expect(new Set(names)).toEqual(new Set([name]));
  });
});
