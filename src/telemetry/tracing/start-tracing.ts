import { randomUUID } from 'node:crypto';
import { TraceFlags } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { traceFields } from './caller-context.ts';
import { countedExporter } from './counted-exporter.ts';
import { createDecisionSpans, type DecisionSpans } from './decision-spans.ts';
import { createOtlpExporter, type OtlpReceiver } from './otlp-exporter.ts';

export interface TracingOptions {
  readonly serviceName: string;
  readonly serviceNamespace: string | undefined;
  /** undefined: one at random, as in the reference. */
  readonly serviceInstanceId: string | undefined;
  /** Share of the traces that begin here, 0 to 1; of others their beginning decided. */
  readonly samplingRatio: number;
  readonly receiver: OtlpReceiver;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Tracing extends DecisionSpans {
  /** Header fields that tell of a caller's trace. */
  readonly fields: ReadonlySet<string>;
  /** Spans of sampled traces so far. */
  readonly spans: () => Readonly<Record<'ended' | 'exported' | 'failed', number>>;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** Spans that wait to be sent; what is more has no room. As many as by default, but not from OTEL_BSP_* variables. */
const batches = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 5_000 };

/** Nothing here is global: the application hands the spans on to those who need them. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { receiver, clock, log } = options;
  const spans = { ended: 0, exported: 0, failed: 0 };
  const exporter = countedExporter(await createOtlpExporter(receiver), { clock, log, spans });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resourceAttributes(options)),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.samplingRatio) }),
    spanProcessors: [countEnded(spans), new BatchSpanProcessor({ exporter, ...batches })],
  });
  return {
    ...createDecisionSpans(provider.getTracer('weir')),
    fields: traceFields,
    spans: () => spans,
    // What cannot be sent is counted and told by the exporter.
    stop: () => provider.shutdown().catch(() => {}),
  };
}

function resourceAttributes({ serviceName, serviceNamespace, serviceInstanceId }: TracingOptions) {
  return {
    'service.name': serviceName,
    ...(serviceNamespace === undefined ? {} : { 'service.namespace': serviceNamespace }),
    'service.instance.id': serviceInstanceId ?? randomUUID(),
  };
}

function countEnded(spans: { ended: number }): SpanProcessor {
  return {
    onStart() {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0) spans.ended += 1;
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}
