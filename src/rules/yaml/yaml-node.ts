/**
 * A YAML document as a tree of plain objects. Aliases are links, never copies, so the tree is no larger than its text,
 * and may contain itself; `yaml-walk.ts` goes through it in bounded work.
 */
export type YamlNode = YamlContent | YamlAlias;

export type YamlContent = YamlScalar | YamlMapping | YamlSequence;

export interface YamlScalar {
  readonly kind: 'scalar';
  /** Where it begins in the decoded text. */
  readonly offset: number;
  /** The text without quotes, escapes and folds. */
  readonly text: string;
  /** Without quotes, so that it may be a number or a boolean. */
  readonly isPlain: boolean;
  /** As it is written, such as `!!str` or `!<tag:yaml.org,2002:str>`. */
  readonly tag: string | undefined;
}

export interface YamlMapping {
  readonly kind: 'mapping';
  readonly offset: number;
  /** As written: a key may be there twice, or be the merge key `<<`. */
  readonly pairs: readonly YamlPair[];
  readonly isAnchored: boolean;
}

export interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export interface YamlSequence {
  readonly kind: 'sequence';
  readonly offset: number;
  readonly items: readonly YamlNode[];
  readonly isAnchored: boolean;
}

export interface YamlAlias {
  readonly kind: 'alias';
  readonly offset: number;
  /** undefined when no anchor before it has this name; the composer has reported that. */
  readonly target: YamlContent | undefined;
}

/** Something wrong with the YAML itself. */
export interface YamlProblem {
  readonly code: string;
  readonly offset: number;
  readonly message: string;
}

/** Told to whoever keeps the list; may throw to end reading. */
export type ReportProblem = (code: string, offset: number, message: string) => void;
