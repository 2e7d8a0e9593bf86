import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startGrpcEdge, startHttpEdge } from './start-edges.ts';

const answered = { response: { overallCode: 'OK' } };

async function callAt(target: string) {
  const client = createGrpcClient(target);
  onTestFinished(() => client.close());
  return client.call(shouldRateLimit, { domain: 'd', descriptors: [{}] });
}

function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'weir.sock');
}

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ family }) => family === 'IPv6'),
);

describe('TCP addresses', () => {
  it('port 0 takes a free port, and says which', async () => {
    const edge = await startGrpcEdge();
    expect(edge.server.port).toBeGreaterThan(0);
    expect(edge.address).toBe(`127.0.0.1:${edge.server.port}`);
    await expect(callAt(edge.address)).resolves.toMatchObject(answered);
  });

  it.each(hasIpv6 ? ['::', ''] : [''])('host "%s" takes every address of the machine', async (host) => {
    const grpc = await startGrpcEdge(undefined, { address: { kind: 'tcp', host, port: 0 } });
    const http = await startHttpEdge(undefined, { host });
    for (const local of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']) {
      await expect(callAt(`${local}:${grpc.server.port}`)).resolves.toMatchObject(answered);
      const livez = httpCall({ address: `${local}:${http.listener.port}`, path: '/livez' });
      await expect(livez).resolves.toMatchObject({ status: 200 });
    }
  });

  it('a port that is taken is an error', async () => {
    const { server } = await startGrpcEdge();
    const address = { kind: 'tcp', host: '127.0.0.1', port: server.port } as const;
    await expect(startGrpcEdge(undefined, { address })).rejects.toThrow('EADDRINUSE');
  });
});

describe('a unix socket', () => {
  it('is called like a port, and its file goes with the server', async () => {
    const path = socketPath();
    const edge = await startGrpcEdge(undefined, { address: { kind: 'unix', path } });
    expect(edge.address).toBe(path);
    await expect(callAt(`unix:${path}`)).resolves.toMatchObject(answered);
    await edge.server.stop(1_000);
    expect(existsSync(path)).toBe(false);
  });

  it('takes the place of a file that a killed process left', async () => {
    const path = socketPath();
    const listen = `require('net').createServer().listen(${JSON.stringify(path)})`;
    const killed = spawn(process.execPath, ['-e', listen], { stdio: 'ignore' });
    const exited = new Promise((resolve) => killed.once('exit', resolve));
    await waitUntil('the socket', () => existsSync(path));
    killed.kill('SIGKILL');
    await exited;
    expect(existsSync(path)).toBe(true);

    await startGrpcEdge(undefined, { address: { kind: 'unix', path } });
    await expect(callAt(`unix:${path}`)).resolves.toMatchObject(answered);
  });

  it('is not taken from a process that listens', async () => {
    const path = socketPath();
    await startGrpcEdge(undefined, { address: { kind: 'unix', path } });
    const second = startGrpcEdge(undefined, { address: { kind: 'unix', path } });
    await expect(second).rejects.toThrow(`another process listens on ${path}`);
    await expect(callAt(`unix:${path}`)).resolves.toMatchObject(answered);
  });

  it('does not replace another file', async () => {
    const path = socketPath();
    writeFileSync(path, 'precious');
    const edge = startGrpcEdge(undefined, { address: { kind: 'unix', path } });
    await expect(edge).rejects.toThrow(`${path} is not a socket`);
    expect(existsSync(path)).toBe(true);
  });
});
