/** A number as statsd takes it: what a counter gained, what a gauge is, or how long something took, in ms. */
export interface Figure {
  readonly kind: 'counter' | 'gauge' | 'timer';
  readonly name: string;
  readonly value: number;
}
