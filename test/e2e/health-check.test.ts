import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

describeWithTools(['envoy'], 'Envoy checks the health of Weir', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ bootstrap: 'envoy-e2e-variants/health-check.yaml', edit: withPatience });
  });
  afterAll(() => stack?.stop());

  const status = async () =>
    (await stack.call('/header', { headers: { 'x-api-key': crypto.randomUUID() } })).status;
  const healthy = async () =>
    (await stack.envoy.stats('^cluster.ratelimit.membership_healthy$'))[
      'cluster.ratelimit.membership_healthy'
    ];

  it('it is taken out while it is stopped, and back in when it returns', async () => {
    await waitUntil('a healthy host', async () => (await healthy()) === 1);
    expect(await status()).toBe(200);

    await stack.weir().stop();
    await waitUntil('no healthy host', async () => (await healthy()) === 0);
    expect(await status()).toBe(500);
    const failures = 'cluster.ratelimit.health_check.failure';
    expect((await stack.envoy.stats(`^${failures}$`))[failures]).toBeGreaterThan(0);

    await stack.restartWeir();
    await waitUntil('a healthy host again', async () => (await healthy()) === 1);
    expect(await status()).toBe(200);
  });
});
