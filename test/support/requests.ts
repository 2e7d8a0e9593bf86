import type { Descriptor, LimitOverride, RateLimitRequest } from '../../src/domain/descriptor.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import type { Unit } from '../../src/domain/unit.ts';

/** What a descriptor may bring beside its entries. */
export interface DescriptorParts {
  /** hits_addend of the descriptor. */
  readonly hits?: number;
  /** The hits are given back. */
  readonly refund?: boolean;
  /** A limit of the request: requests per unit. */
  readonly limit?: readonly [number, Unit | undefined];
}

/** A descriptor from text such as `plan=free, user=u1`; a key alone has an empty value. */
export function descriptor(text: string, { hits, refund = false, limit }: DescriptorParts = {}): Descriptor {
  const entries = text === '' ? [] : text.split(', ').map(entry);
  const override: LimitOverride | undefined = limit && { requestsPerUnit: limit[0], unit: limit[1] };
  return { entries, limit: override, hitsAddend: hits, isNegativeHits: refund };
}

function entry(text: string) {
  const at = text.indexOf('=');
  const [key, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { key: octetsOf(key), value: octetsOf(value) };
}

export function request(
  domain: string,
  descriptors: readonly Descriptor[],
  hitsAddend = 0,
): RateLimitRequest {
  return { domain: octetsOf(domain), descriptors, hitsAddend };
}
