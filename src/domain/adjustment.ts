/**
 * What a person does to a counter. `reset`: it is as if nobody had come. `grant`: so many hits, 1 to 2^32-1, are given beyond
 * what was used, until the window ends; to a bucket of tokens until it is full. What was counted above the limit was denied, and
 * not used: it takes nothing from a grant.
 */
export type Adjustment = { readonly kind: 'reset' } | { readonly kind: 'grant'; readonly hits: number };
