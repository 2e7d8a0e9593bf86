import type { AdsServer } from '../../../src/config/xds/ads-stream.ts';
import type { BackoffOptions } from '../../../src/config/xds/backoff.ts';
import { RateLimitConfig, RateLimitUnit } from '../../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import type { SentResource } from '../../support/ads-server.ts';

/** A server without TLS. */
export function localServer(address: string, options: Partial<AdsServer> = {}): AdsServer {
  return { address, headers: [], tls: () => undefined, maxMessageBytes: 64 * 1024 * 1024, ...options };
}

/** Tries again at once. */
export const promptly: BackoffOptions = { connectRetryMs: 20, initialMs: 20, maxMs: 100, jitter: 0.5 };

/** A domain with one limit a minute on one key. */
export function limitResource(domain: string, requestsPerUnit: number, key = 'ip'): SentResource {
  const rateLimit = { unit: RateLimitUnit.MINUTE, requestsPerUnit };
  return RateLimitConfig.fromPartial({ name: domain, domain, descriptors: [{ key, rateLimit }] });
}

/** A resource whose octets end too early. */
export function brokenResource(name: string): SentResource {
  const octets = RateLimitConfig.encode(RateLimitConfig.fromPartial({ name, domain: name })).finish();
  return { octets: octets.subarray(0, octets.length - 1) };
}
