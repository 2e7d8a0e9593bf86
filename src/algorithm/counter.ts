import type { WindowCounter } from './fixed-window.ts';
import type { SlidingCounter } from './sliding-window.ts';
import type { Bucket } from './token-bucket.ts';

/** A counter as it is stored, by whatever algorithm. The key that it lies under says which. */
export type Counter = WindowCounter | SlidingCounter | Bucket;
