import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type Message, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { type OtlpReceiver, type ReceivedSpan, receiveOtlp } from '../../support/otlp-receiver.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rules = `
domain: shop
descriptors:
  - {key: plan, value: free, rate_limit: {unit: year, requests_per_unit: 2}}
`;

type Fields = Readonly<Record<string, string>>;

function startTraced(endpoint: string, env: Fields = {}): Promise<RunningWeir> {
  return startWeir({
    rules: { 'shop.yaml': rules },
    env: { BACKEND_TYPE: 'memory', TRACING_ENABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env },
  });
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const secret = 'a-value-of-a-caller';

const request = {
  domain: 'shop',
  descriptors: [{ entries: [{ key: 'plan', value: 'free' }] }, { entries: [{ key: 'user', value: secret }] }],
};

/** A call with metadata of its own. */
function call(weir: RunningWeir, fields: Fields = {}, message: Message = request): Promise<void> {
  const client = new Client(weir.address('grpc'), credentials.createInsecure());
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  const { path, requestSerialize, responseDeserialize } = shouldRateLimit;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, metadata, () => {
      client.close();
      resolve();
    });
  });
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] {
  return spans.filter((span) => span.name === name);
}

const decisions = ({ spans }: OtlpReceiver) => named(spans, 'ShouldRateLimit Execution');

describe.each(['http', 'grpc'] as const)('traces over %s', (protocol) => {
  const exporter = { TRACING_EXPORTER_PROTOCOL: protocol };

  it('have a span for each decision, and one below it for the store', async () => {
    await using receiver = await receiveOtlp(protocol);
    await using weir = await startTraced(receiver.endpoint, {
      ...exporter,
      TRACING_SERVICE_NAME: 'limits',
      TRACING_SERVICE_NAMESPACE: 'edge',
      TRACING_SERVICE_INSTANCE_ID: 'pod-1',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    });
    await call(weir);
    await weir.stop();
    const [decision, ...others] = decisions(receiver);
    const [store] = named(receiver.spans, 'Memory Store Execution');
    expect(others).toEqual([]);
    expect(decision).toMatchObject({
      parentSpanId: '',
      kind: 'SPAN_KIND_SERVER',
      attributes: { 'ratelimit.domain': 'shop', 'ratelimit.descriptors': 2, 'ratelimit.code': 'OK' },
      resource: { 'service.name': 'limits', 'service.namespace': 'edge', 'service.instance.id': 'pod-1' },
    });
    expect(store).toMatchObject({
      traceId: decision?.traceId,
      parentSpanId: decision?.spanId,
      kind: 'SPAN_KIND_CLIENT',
      attributes: { 'db.operation.batch.size': 1 },
    });
    expect(receiver.headers[0]).toMatchObject({ 'x-tenant': 'a b' });
    expect(JSON.stringify(receiver.spans)).not.toContain(secret);
  });

  it.each<[string, Fields]>([
    ['traceparent', { traceparent: `00-${traceId}-${parentId}-01` }],
    ['b3', { b3: `${traceId}-${parentId}-1` }],
    ['x-b3-...', { 'x-b3-traceid': traceId, 'x-b3-spanid': parentId, 'x-b3-sampled': '1' }],
    ['both', { traceparent: `00-${traceId}-${parentId}-01`, b3: `${'1'.repeat(32)}-${'2'.repeat(16)}-1` }],
  ])("go on with the caller's, by %s", async (_, fields) => {
    await using receiver = await receiveOtlp(protocol);
    await using weir = await startTraced(receiver.endpoint, { ...exporter, TRACING_SAMPLING_RATE: '0' });
    await call(weir, fields);
    await weir.stop();
    expect(decisions(receiver)).toMatchObject([{ traceId, parentSpanId: parentId }]);
  });
});

describe('traces', () => {
  it('are not kept with a rate of 0, unless the caller keeps its own', async () => {
    await using receiver = await receiveOtlp('http');
    await using weir = await startTraced(receiver.endpoint, { TRACING_SAMPLING_RATE: '0' });
    for (let i = 0; i < 20; i++) await call(weir);
    await call(weir, { traceparent: `00-${traceId}-${parentId}-01` });
    await weir.stop();
    expect(decisions(receiver).map((span) => span.traceId)).toEqual([traceId]);
  });

  it('are all kept with a rate of 1, unless the caller does not keep its own', async () => {
    await using receiver = await receiveOtlp('http');
    await using weir = await startTraced(receiver.endpoint);
    for (let i = 0; i < 20; i++) await call(weir);
    await call(weir, { traceparent: `00-${traceId}-${parentId}-00` });
    await weir.stop();
    expect(new Set(decisions(receiver).map((span) => span.traceId)).size).toBe(20);
    expect(decisions(receiver).map((span) => span.traceId)).not.toContain(traceId);
  });

  it('go on with the trace of a call to /json', async () => {
    await using receiver = await receiveOtlp('http');
    await using weir = await startTraced(receiver.endpoint);
    await httpCall({
      address: weir.address('http'),
      path: '/json',
      method: 'POST',
      headers: { traceparent: `00-${traceId}-${parentId}-01` },
      body: JSON.stringify(request),
    });
    await weir.stop();
    expect(decisions(receiver)).toMatchObject([
      { traceId, parentSpanId: parentId, attributes: { 'url.path': '/json' } },
    ]);
  });

  it('go on with the trace of a call to /check', async () => {
    await using receiver = await receiveOtlp('http');
    await using weir = await startTraced(receiver.endpoint);
    await httpCall({
      address: weir.address('http'),
      path: '/check?domain=d&descriptor=a=b',
      headers: { traceparent: `00-${traceId}-${parentId}-01` },
    });
    await weir.stop();
    expect(decisions(receiver)).toMatchObject([
      { traceId, parentSpanId: parentId, attributes: { 'url.path': '/check' } },
    ]);
  });

  it('tell what came of it', async () => {
    await using receiver = await receiveOtlp('http');
    await using weir = await startTraced(receiver.endpoint);
    for (let i = 0; i < 3; i++) await call(weir);
    await call(weir, {}, { domain: '', descriptors: [] });
    await weir.stop();
    const codes = decisions(receiver).map(({ attributes, status }) => [
      attributes['ratelimit.code'],
      status?.code ?? 'STATUS_CODE_UNSET',
    ]);
    expect(codes).toEqual([
      ['OK', 'STATUS_CODE_UNSET'],
      ['OK', 'STATUS_CODE_UNSET'],
      ['OVER_LIMIT', 'STATUS_CODE_UNSET'],
      ['INVALID_ARGUMENT', 'STATUS_CODE_ERROR'],
    ]);
  });

  it('that nobody takes hold nothing up, and are one line in the log', async () => {
    const port = await freePort();
    await using weir = await startTraced(`http://127.0.0.1:${port}`, {
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    const failed = async () => {
      const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
      return Number(/^weir_trace_spans_total{result="failed"} (\d+)$/m.exec(body)?.[1]);
    };
    // A full batch is sent at once: 512 spans.
    await waitUntil('two batches to be lost', async () => {
      await Promise.all(Array.from({ length: 50 }, () => call(weir)));
      return (await failed()) >= 1_024;
    });
    const warnings = weir.log().filter((line) => String(line['@message']).includes('traces cannot be sent'));
    expect(warnings).toHaveLength(1);
    expect(await weir.stop()).toEqual({ code: 0, signal: null });
  });
});
