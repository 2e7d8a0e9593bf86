import type { RuleDocument } from '../rules/rules-document.ts';

/** A rule without those below it, and how deep it stands; the first level is 0. */
export interface FlatRule {
  readonly depth: number;
  readonly rule: Omit<RuleDocument, 'descriptors'>;
}

/** Takes a tree of rules apart: each rule before those below it, in lists of at most `size`. */
export function* ruleChunks(rules: readonly RuleDocument[], size: number): Generator<FlatRule[]> {
  let chunk: FlatRule[] = [];
  for (const flat of inOrder(rules)) {
    chunk.push(flat);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Not recursive: a file may nest a thousand levels, and each level of generators would cost every rule below it. */
function* inOrder(rules: readonly RuleDocument[]): Generator<FlatRule> {
  const open = [rules.values()];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const next = level.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const { descriptors, ...rule } = next.value;
    yield { depth: open.length - 1, rule };
    open.push(descriptors.values());
  }
}

/** Puts a tree together again. */
export interface RuleTree {
  add(chunk: readonly FlatRule[]): void;
  readonly rules: readonly RuleDocument[];
}

export function createRuleTree(): RuleTree {
  const rules: RuleDocument[] = [];
  /** The list that a rule of each depth belongs to. */
  const lists: RuleDocument[][] = [rules];
  function add(chunk: readonly FlatRule[]): void {
    for (const { depth, rule } of chunk) {
      const descriptors: RuleDocument[] = [];
      lists[depth]?.push({ ...rule, descriptors });
      lists[depth + 1] = descriptors;
    }
  }
  return { add, rules };
}
