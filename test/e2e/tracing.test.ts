import { expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { receiveOtlp } from '../support/otlp-receiver.ts';
import { startStack, withPatience } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

describeWithTools(['envoy'], 'traces through Envoy', () => {
  it.each([{}, { GRPC_TRANSPORT: 'grpc-js' }])(
    "Weir's spans go on with Envoy's: one receiver sees both, with %j",
    async (env) => {
      await using receiver = await receiveOtlp('grpc');
      const port = receiver.endpoint.split(':').at(-1) as string;
      await using stack = await startStack({
        bootstrap: 'envoy-e2e-variants/tracing.yaml',
        edit: (text) => withPatience(text).replaceAll(/port_value: 4317\b/g, `port_value: ${port}`),
        env: {
          ...env,
          TRACING_ENABLED: 'true',
          TRACING_EXPORTER_PROTOCOL: 'grpc',
          // What begins here is not kept: these spans are there because Envoy's are.
          TRACING_SAMPLING_RATE: '0',
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
        },
      });
      for (let i = 0; i < 3; i++) {
        expect((await stack.call('/header', { headers: { 'x-api-key': 'k' } })).status).toBe(200);
      }
      await stack.weir().stop();
      const own = receiver.spans.filter(({ name }) => name === 'ShouldRateLimit Execution');
      expect(own).toHaveLength(3);
      for (const { traceId, parentSpanId } of own) {
        const parent = await waitUntil("Envoy's span", () =>
          receiver.spans.find((span) => span.spanId === parentSpanId),
        );
        expect(parent).toMatchObject({ traceId, resource: { 'service.name': 'e2e' } });
      }
      expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(3);
    },
  );
});
