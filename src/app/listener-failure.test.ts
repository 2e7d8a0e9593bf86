import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenerFailure } from './listener-failure.ts';

const http = { name: 'HTTP', variables: ['HOST', 'PORT'], files: [] };

/** The system's error for an address that cannot be listened on. */
async function errorOf(options: ListenOptions): Promise<unknown> {
  const [error] = await once(createServer().listen(options), 'error').catch((reason) => [reason]);
  return error;
}

describe('listenerFailure', () => {
  it('says that an address is taken, and which variables set it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const cause = await errorOf({ host: '127.0.0.1', port });
    expect(listenerFailure(http, cause)).toMatchObject({
      message: `HTTP listener (HOST, PORT): the address 127.0.0.1:${port} is taken`,
      cause,
    });
  });

  it.each([
    [{ host: '192.0.2.1', port: 1 }, 'HTTP listener (HOST, PORT): this machine has no address 192.0.2.1:1'],
    [
      { path: '/none/here' },
      'HTTP listener (HOST, PORT): /none/here cannot be made: its directory is missing',
    ],
  ])('%o', async (options, sentence) => {
    expect(listenerFailure(http, await errorOf(options)).message).toContain(sentence);
  });

  it.each([
    [
      { code: 'EACCES', address: '::', port: 80 },
      'HTTP listener (HOST, PORT): no permission to listen on [::]:80',
    ],
    [{ code: 'ENOTFOUND', hostname: 'x.test' }, 'HTTP listener (HOST, PORT): the name x.test is not known'],
  ])('%o', (facts, sentence) => {
    expect(listenerFailure(http, Object.assign(new Error('?'), facts)).message).toBe(sentence);
  });

  it('keeps the words of another error, which may be about a file', () => {
    const grpc = { name: 'gRPC', variables: ['GRPC_UDS'], files: ['GRPC_SERVER_TLS_CERT'] };
    expect(listenerFailure(grpc, new Error('/a.crt holds no certificate')).message).toBe(
      'gRPC listener (GRPC_UDS, GRPC_SERVER_TLS_CERT): /a.crt holds no certificate',
    );
  });
});
