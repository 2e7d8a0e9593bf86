import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';

describeWithTools(['envoy'], 'the network filter of Envoy', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      bootstrap: 'envoy-e2e-variants/tcp.yaml',
      limits: ['envoy-e2e-variants/limits/e2e-tcp.yaml'],
      edit: withPatience,
    });
  });
  afterAll(() => stack?.stop());

  /** Speaks on a new connection; whether the upstream answered before the connection ended. */
  function isServed(): Promise<boolean> {
    const [host = '', port = ''] = stack.envoy.listener(10000).split(':');
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect({ host, port: Number(port) });
      socket.on('data', (chunk) => (answer += chunk));
      socket.on('error', () => {}); // a refused connection is reset; `close` follows
      socket.on('close', () => resolve(answer.startsWith('HTTP/1.1 200')));
      socket.write('GET / HTTP/1.1\r\nhost: upstream\r\nconnection: close\r\n\r\n');
    });
  }

  it('a connection is a hit; beyond the limit it is ended before a byte', async () => {
    const served: boolean[] = [];
    for (let i = 0; i < 4; i++) served.push(await isServed());
    expect(served).toEqual([true, true, true, false]);
    expect(await stack.envoy.stats('^ratelimit.tcp.')).toMatchObject({
      'ratelimit.tcp.total': 4,
      'ratelimit.tcp.ok': 3,
      'ratelimit.tcp.over_limit': 1,
      'ratelimit.tcp.cx_closed': 1,
    });
  });

  it('without Weir connections are served', async () => {
    await stack.weir().stop();
    expect(await isServed()).toBe(true);
    expect(await stack.envoy.stats('^ratelimit.tcp.')).toMatchObject({
      'ratelimit.tcp.error': 1,
      'ratelimit.tcp.failure_mode_allowed': 1,
    });
  });
});
