import type { DenialBody } from '../domain/decision.ts';
import type { DescriptorOutcome } from './decision-event.ts';

/** What a denied client reads; off when undefined. */
export type DenialBodyFormat =
  | { readonly kind: 'json' }
  /** Text with the placeholders {limit}, {remaining}, {window}, {retry_after} and {name}; others stay as they are. */
  | { readonly kind: 'template'; readonly template: string; readonly contentType: string };

/** Made of the limit alone: nothing of what the caller sent gets into a reply. */
export function denialBody(described: DescriptorOutcome, format: DenialBodyFormat): DenialBody {
  const values = valuesOf(described);
  if (format.kind === 'template') {
    const text = format.template.replaceAll(/\{([a-z_]+)\}/g, (whole, name: string) =>
      String(values[name] ?? whole),
    );
    return { contentType: format.contentType, text };
  }
  const { limit, window, retry_after } = values;
  const text = JSON.stringify({
    error: 'rate_limit_exceeded',
    message: `Rate limit exceeded. Try again in ${retry_after} s.`,
    limit,
    window_seconds: window,
    retry_after,
  });
  return { contentType: 'application/json', text };
}

function valuesOf({ status }: DescriptorOutcome): Record<string, string | number> {
  return {
    limit: status.currentLimit?.requestsPerUnit ?? 0,
    remaining: status.limitRemaining,
    window: status.currentLimit?.windowSeconds ?? 0,
    retry_after: status.secondsUntilReset,
    name: status.currentLimit?.name ?? '',
  };
}
