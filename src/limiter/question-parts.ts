import type { Hit } from '../domain/hit.ts';
import type { CounterStore, HitResult } from '../store/counter-store.ts';

/** What the store did. */
export interface Counted {
  /** Of all hits, in order. */
  readonly states: HitResult['states'];
  /** Whether they were carried out: all of them, or those of each descriptor in order that was asked for. */
  readonly counted: boolean | readonly boolean[];
}

/** The hits of one descriptor. */
interface Part {
  readonly hits: readonly Hit[];
  /** They are one step for the store: counted together or not at all. */
  readonly isStep: boolean;
}

/**
 * A request whose descriptors have several limits each, descriptor by descriptor.
 * @param sizes how many of the hits in order belong to each
 */
export function partsOf(hits: readonly Hit[], sizes: readonly number[]): readonly Part[] {
  const quotas = hits.filter(({ denies }) => denies === 'together').length;
  const keysOfLists = new Set<string>();
  let start = 0;
  const lists = sizes.map((size) => {
    const own = hits.slice(start, start + size);
    start += size;
    if (size > 1) for (const { key } of own) keysOfLists.add(key);
    return own;
  });
  return lists.map((own) => {
    const [first] = own;
    if (own.length === 1 && first !== undefined) {
      // Steps are done after single hits; one on the counter of a list has to keep its place before or after it.
      const isStep = keysOfLists.has(first.key);
      return { hits: isStep ? counting(own) : own, isStep };
    }
    // One quota that is used up denies nothing beside another, and what passes counts.
    return { hits: quotas > 1 && first?.denies === 'together' ? counting(own) : own, isStep: true };
  });
}

function counting(hits: readonly Hit[]): readonly Hit[] {
  return hits.map((hit) => ({ ...hit, denies: 'never' }));
}

/** All parts are in the store's next batch, as they are asked for in one turn. */
export async function askInParts(
  parts: readonly Part[],
  store: CounterStore,
  until: number,
): Promise<Counted> {
  const results = await Promise.all(
    parts.map(({ hits, isStep }) => (isStep ? store.hitUnlessDenied(hits, until) : store.hit(hits, until))),
  );
  return {
    states: results.flatMap(({ states }) => states),
    counted: results.map(({ counted }) => counted),
  };
}
