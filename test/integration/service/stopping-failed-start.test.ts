import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { startRedis } from '../../support/redis-server.ts';
import { startProcess } from '../../support/start-process.ts';

const script = fileURLToPath(new URL('start-app.ts', import.meta.url));

describeWithTools(['redis-server'], 'an application that cannot start', () => {
  it('leaves nothing that would keep the process, and says what is wrong', async () => {
    await using redis = await startRedis();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const env = {
      REDIS_URL: redis.address,
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: '0',
      HOST: '127.0.0.1',
      PORT: '0',
      DEBUG_PORT: String(port),
    };
    await using child = await startProcess(process.execPath, [script], { env });
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.lines).toContain(
      `debug listener (DEBUG_HOST, DEBUG_PORT): the address 127.0.0.1:${port} is taken`,
    );
    // The store was closed while it connected: that is no trouble with Redis.
    expect(child.lines.filter((line) => line.includes('cannot be used'))).toEqual([]);
  });
});
