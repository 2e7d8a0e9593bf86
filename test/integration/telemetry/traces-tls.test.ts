import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { httpCall } from '../../support/http-call.ts';
import { receiveOtlp } from '../../support/otlp-receiver.ts';
import { type Certificates, makeCertificates } from '../../support/redis-certificates.ts';
import { startWeir } from '../../support/start-weir.ts';

const rules = 'domain: shop\ndescriptors: [{key: ip, rate_limit: {unit: year, requests_per_unit: 2}}]\n';

describeWithTools(['openssl'], 'traces over TLS', () => {
  let folder: string;
  let files: Certificates;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-otlp-'));
    files = makeCertificates(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const tls = () => ({
    ca: readFileSync(files.caFile),
    cert: readFileSync(files.serverCertFile),
    key: readFileSync(files.serverKeyFile),
  });

  async function spansSent(protocol: 'http' | 'grpc', env: Record<string, string>): Promise<number> {
    await using receiver = await receiveOtlp(protocol, tls());
    await using weir = await startWeir({
      rules: { 'shop.yaml': rules },
      env: {
        BACKEND_TYPE: 'memory',
        TRACING_ENABLED: 'true',
        TRACING_EXPORTER_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
        OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
        ...env,
      },
    });
    const body = JSON.stringify({ domain: 'shop', descriptors: [{ entries: [{ key: 'ip', value: '1' }] }] });
    await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
    await weir.stop();
    return receiver.spans.length;
  }

  it.each(['http', 'grpc'] as const)(
    'over %s reach a receiver that asks for a certificate',
    async (protocol) => {
      const env = {
        OTEL_EXPORTER_OTLP_CERTIFICATE: files.caFile,
        OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: files.clientCertFile,
        OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: files.clientKeyFile,
      };
      expect(await spansSent(protocol, env)).toBe(2);
    },
  );

  it.each(['http', 'grpc'] as const)(
    'over %s do not go to a receiver that is not trusted',
    async (protocol) => {
      const env = {
        OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: files.clientCertFile,
        OTEL_EXPORTER_OTLP_CLIENT_KEY: files.clientKeyFile,
      };
      expect(await spansSent(protocol, env)).toBe(0);
    },
  );
});
