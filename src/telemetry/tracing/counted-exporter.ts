import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { Sampler } from '../../log-sampler.ts';

export interface CountedExporterOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** What is counted. */
  readonly spans: { exported: number; failed: number };
}

/** The library keeps to itself what it could not send; here it is counted, and told once a minute at most. */
export function countedExporter(
  exporter: SpanExporter,
  { clock, log, spans }: CountedExporterOptions,
): SpanExporter {
  const sampler = new Sampler({ intervalMs: 60_000, maxSubjects: 1 });
  return {
    export(batch, done) {
      exporter.export(batch, (result) => {
        const isExported = result.code === ExportResultCode.SUCCESS;
        spans[isExported ? 'exported' : 'failed'] += batch.length;
        const sampled = isExported ? undefined : sampler.take('', clock.monotonic());
        if (sampled !== undefined) {
          log.warn(
            { reason: result.error?.message, ...sampled },
            'traces cannot be sent: their spans are lost',
          );
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
