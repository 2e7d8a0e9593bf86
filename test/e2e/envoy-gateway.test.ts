import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RateLimitConfig, RateLimitUnit } from '../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import { createAuthority } from '../integration/server/certificates.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { envoyGatewayEnvironment } from '../support/envoy-gateway-environment.ts';
import { freePorts } from '../support/free-port.ts';
import { type GoAdsServer, startGoAdsServer } from '../support/go-ads-server.ts';
import { httpCall } from '../support/http-call.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RunningEnvoy, startEnvoy } from '../support/start-envoy.ts';
import { startProcess, type TestProcess } from '../support/start-process.ts';
import { startUpstream, type Upstream } from '../support/start-upstream.ts';
import { waitUntil } from '../support/wait-until.ts';

const program = fileURLToPath(new URL('../../bin/ratelimit.js', import.meta.url));
const bootstrap = fileURLToPath(new URL('bootstraps/envoy-gateway.yaml', import.meta.url));

/** The rules as Envoy Gateway makes them: a route, and below it a rule for each selector. */
const route = 'httproute/default/backend/rule/0/match/0/*';
const perHour = (requestsPerUnit: number) => ({ unit: RateLimitUnit.HOUR, requestsPerUnit });
const rules = (limit: number) =>
  RateLimitConfig.fromPartial({
    name: 'default/eg/http',
    domain: 'default/eg/http',
    descriptors: [
      {
        key: route,
        value: route,
        descriptors: [
          { key: 'rule-0-match-0', value: 'rule-0-match-0', rateLimit: perHour(limit) },
          { key: 'rule-1-match-0', rateLimit: perHour(2) },
        ],
      },
    ],
  });

describeWithTools(
  ['ads-server', 'envoy', 'openssl', 'redis-server'],
  "Weir in the place of Envoy Gateway's rate-limit service",
  () => {
    let folder: string;
    let redis: RedisServer;
    let controlPlane: GoAdsServer;
    let weir: TestProcess;
    let upstream: Upstream;
    let envoy: RunningEnvoy;
    let ports: { http: number; grpc: number; debug: number; metrics: number };

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'weir-envoy-gateway-'));
      const authority = createAuthority(folder);
      authority.issue('tls', 'DNS:envoy-ratelimit');
      authority.issue('envoy', 'DNS:envoy');
      const { certFile, keyFile } = authority.issue('envoy-gateway', 'DNS:envoy-gateway,DNS:localhost');
      redis = await startRedis();
      controlPlane = await startGoAdsServer({
        node: 'envoy-ratelimit',
        tls: { certFile, keyFile, clientCaFile: authority.file },
      });
      const [http = 0, grpc = 0, debug = 0, metrics = 0] = await freePorts(4);
      ports = { http, grpc, debug, metrics };
      weir = await startProcess(program, [], {
        env: {
          ...envoyGatewayEnvironment({
            certificates: folder,
            controlPlane: `localhost:${controlPlane.port}`,
            redis: redis.address,
            metricsPort: metrics,
          }),
          PORT: String(http),
          GRPC_PORT: String(grpc),
          DEBUG_PORT: String(debug),
        },
      });
      await waitUntil('the probe', async () => (await probe()).status === 200);
      upstream = await startUpstream();
      envoy = await startEnvoy({
        bootstrap,
        service: `127.0.0.1:${grpc}`,
        upstream: upstream.address,
        cwd: folder,
      });
    });

    afterAll(async () => {
      // The second signal spares the test the time to drain.
      weir?.signal('SIGTERM');
      await Promise.all([weir?.stop(), envoy?.stop(), upstream?.stop(), controlPlane?.stop(), redis?.stop()]);
      rmSync(folder, { recursive: true, force: true });
    });

    const probe = () => httpCall({ address: `127.0.0.1:${ports.http}`, path: '/healthcheck' });
    const call = async (headers: Record<string, string>) => {
      const answer = await httpCall({ address: envoy.listener(10000), path: '/', headers });
      return { status: answer.status, limit: answer.headers['x-ratelimit-limit'] };
    };

    it("answers probes before there are rules, and leaves the decision to Envoy's failure mode", async () => {
      expect(await probe()).toMatchObject({ status: 200, body: 'OK' });
      expect((await call({ 'x-user-id': 'one' })).status).toBe(500);
    });

    it('takes rules over mutual TLS, as node envoy-ratelimit', async () => {
      await controlPlane.set('1', [rules(3)]);
      await controlPlane.untilAccepted('1');
      expect((await controlPlane.requests())[0]).toMatchObject({ node: 'envoy-ratelimit' });
    });

    it("answers Envoy's calls over TLS, and the client gets 429", async () => {
      const answers = [];
      for (let number = 0; number < 4; number += 1) answers.push(await call({ 'x-user-id': 'one' }));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(answers[0]?.limit).toBe('3, 3;w=3600');
      expect((await call({ 'x-user-id': 'two' })).status).toBe(200);
    });

    it('counts each value of a header apart', async () => {
      const statuses = [];
      for (const tenant of ['a', 'a', 'a', 'b']) statuses.push((await call({ 'x-tenant': tenant })).status);
      expect(statuses).toEqual([200, 200, 429, 200]);
    });

    it('has the series of its dashboard on the port for metrics', async () => {
      const { body } = await httpCall({ address: `127.0.0.1:${ports.metrics}`, path: '/metrics' });
      const series = (name: string) =>
        `ratelimit_service_rate_limit_${name}{domain="default/eg/http",key1="${route}_${route}",key2="rule-0-match-0_rule-0-match-0"}`;
      expect(body).toContain(`${series('total_hits')} 4`);
      expect(body).toContain(`${series('over_limit')} 1`);
      expect(body).toContain('weir_config_source_connected{source="xds"} 1');
    });

    it('shows egctl config envoy-ratelimit the rules in force', async () => {
      const { body } = await httpCall({ address: `127.0.0.1:${ports.debug}`, path: '/rlconfig' });
      expect(body).toContain(
        `default/eg/http.${route}_${route}.rule-0-match-0_rule-0-match-0: unit=HOUR requests_per_unit=3, shadow_mode: false`,
      );
    });

    it('takes a change, and says in the log nothing that is wrong', async () => {
      await controlPlane.set('2', [rules(100)]);
      await controlPlane.untilAccepted('2');
      expect(await call({ 'x-user-id': 'one' })).toEqual({ status: 200, limit: '100, 100;w=3600' });
      const bad = weir.lines.filter((line) => /"level":"(error|fatal)"/.test(line));
      expect(bad).toEqual([]);
    });
  },
);
