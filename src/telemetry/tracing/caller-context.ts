import { type Context, ROOT_CONTEXT, type TextMapGetter } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { B3Propagator } from '@opentelemetry/propagator-b3';

/** A header field of a call by its name. */
export type FieldReader = (name: string) => string | undefined;

/** "Trace Context" of the W3C, and B3 with one header and with several, as Envoy's tracers send them. */
export const traceFields: ReadonlySet<string> = new Set([
  'traceparent',
  'tracestate',
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-flags',
]);

const reading: TextMapGetter<FieldReader> = {
  keys: () => [...traceFields],
  get: (field, name) => field(name),
};

const b3 = new B3Propagator();
const w3c = new W3CTraceContextPropagator();

/**
 * The trace that a caller says its call belongs to. Where both are there, W3C's counts. Baggage is not read: it is there to
 * be passed on, and a store takes none.
 */
export function callerContext(field: FieldReader): Context {
  return w3c.extract(b3.extract(ROOT_CONTEXT, field, reading), field, reading);
}
