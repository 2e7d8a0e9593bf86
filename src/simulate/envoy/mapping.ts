/** How lines of an access log become requests: a mapping file, read and checked. */
export interface Mapping {
  /** How a line becomes fields; undefined: each line is a JSON object. */
  readonly pattern: RegExp | undefined;
  /** Lines that asked for a decision: all of these hold. */
  readonly when: readonly Condition[];
  readonly time: ValueSource;
  readonly domain: ValueSource;
  /** undefined: each request is one hit. */
  readonly hits: ValueSource | undefined;
  readonly descriptors: readonly MappedDescriptor[];
}

/** A descriptor of the request; as Envoy does, it is left out where one of its entries has no value. */
export interface MappedDescriptor {
  /** When it is made: all of these hold. */
  readonly when: readonly Condition[];
  readonly entries: readonly MappedEntry[];
}

export interface MappedEntry {
  readonly key: string;
  readonly source: ValueSource;
  /** Without a value this entry is left out, and not its descriptor: Envoy's `skip_if_absent`. */
  readonly isOptional: boolean;
}

/** A field that is there and matches. */
export interface Condition {
  readonly field: Field;
  readonly match: RegExp;
}

/** Where a text comes from. */
export type ValueSource =
  | { readonly kind: 'fixed'; readonly value: string }
  | {
      readonly kind: 'field';
      readonly field: Field;
      /** The part that is taken: the first group, or all that matches. undefined: the whole. */
      readonly match: RegExp | undefined;
      /** What stands for a field that is missing or does not match. */
      readonly otherwise: string | undefined;
    };

/** A field of a line. */
export interface Field {
  /** As written. */
  readonly name: string;
  /** The same as the way through objects in each other: `request.path`. */
  readonly path: readonly string[];
}
