import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import { Sampler, type SamplerOptions } from '../log-sampler.ts';
import type { RedisStoreEvent, RedisStoreListener } from '../store/redis/store-event.ts';

/** One line in ten seconds for each node and kind of trouble, however many requests run into it. */
const sampling: SamplerOptions = Object.freeze({ intervalMs: 10_000, maxSubjects: 50 });

/** Nodes that are remembered as down; with more, the oldest are told anew when they come back. */
const maxDown = 200;

/**
 * Writes what happens between Weir and Redis: a node that can't be used (`error`: limits are not enforced as configured
 * until somebody acts) when it begins and again while it lasts, that it is back, and errors of hits as samples.
 */
export function createStoreLog({ log, clock }: { log: Logger; clock: Clock }): RedisStoreListener {
  const troubles = new Sampler(sampling);
  const arrivals = new Sampler(sampling);
  /** Nodes whose last line said that they can't be used. */
  const down = new Set<string>();

  function unusable({ node, errorKind, message }: RedisStoreEvent & { kind: 'unusable' }): void {
    const sampled = troubles.take(`unusable ${node}`, clock.monotonic());
    if (sampled === undefined) return;
    if (down.size >= maxDown) down.clear();
    down.add(node);
    log.error({ node, errorKind, reason: message, ...sampled }, 'a node of the store cannot be used');
  }

  function usable(node: string): void {
    if (down.delete(node)) log.info({ node }, 'a node of the store can be used again');
    else if (arrivals.take(node, clock.monotonic()) !== undefined)
      log.info({ node }, 'connected to the store');
  }

  function failed({ node, errorKind, hits, message }: RedisStoreEvent & { kind: 'error' }): void {
    const sampled = troubles.take(`${errorKind} ${node}`, clock.monotonic());
    if (sampled === undefined) return;
    log.warn({ node, errorKind, reason: message, hits, ...sampled }, 'hits got no count from the store');
  }

  function lost({ node, hits }: RedisStoreEvent & { kind: 'compensation-lost' }): void {
    const sampled = troubles.take(`lost ${node}`, clock.monotonic());
    if (sampled === undefined) return;
    log.warn({ node, hits, ...sampled }, 'hits of a denied request could not be given back');
  }

  /** While a node does not answer it is asked once a second: that is no news at `info`. */
  function breaker({ node, from, to, cause, reason }: RedisStoreEvent & { kind: 'breaker' }): void {
    const fields = { node, from, to, cause, reason };
    if (from === 'closed') log.error(fields, 'breaker opened: a node of the store is not asked any more');
    else if (to === 'closed') log.info(fields, 'breaker closed: a node of the store is asked again');
    else log.debug(fields, 'breaker: a node of the store is asked once, or did not answer that');
  }

  function evicting({ node, policy }: RedisStoreEvent & { kind: 'evicting' }): void {
    const sampled = arrivals.take(`evicting ${node}`, clock.monotonic());
    if (sampled === undefined) return;
    const message =
      'a node of the store drops counters when its memory is full: set maxmemory-policy noeviction';
    log.warn({ node, policy, ...sampled }, message);
  }

  return (event) => {
    if (event.kind === 'unusable') unusable(event);
    else if (event.kind === 'usable') usable(event.node);
    else if (event.kind === 'error') failed(event);
    else if (event.kind === 'compensation-lost') lost(event);
    else if (event.kind === 'breaker') breaker(event);
    else if (event.kind === 'evicting') evicting(event);
  };
}
