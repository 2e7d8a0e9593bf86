/** What one operation on a counter found and left. */
export interface Counted<C> {
  /** To be stored; undefined when there is none, and the very same object when nothing changes. */
  readonly counter: C | undefined;
  /** What was used of the limit, up to 2^32; below 0 where more was granted than used. */
  readonly before: number;
  /** The same with this hit. Above the limit, the hit is over. */
  readonly after: number;
}
