import type { Rule } from './rule.ts';

/**
 * Which of a request's matched rules are out, because another of them names them in `replaces`. What a rule replaces it
 * replaces also when it is itself replaced.
 * @returns undefined in the common case that none is; else one flag for each element of `matches`.
 */
export function findReplaced(matches: readonly (Rule | undefined)[]): readonly boolean[] | undefined {
  let names: Set<string> | undefined;
  for (const rule of matches) {
    if (rule === undefined || rule.replaces.length === 0) continue;
    names ??= new Set();
    for (const name of rule.replaces) names.add(name);
  }
  if (names === undefined) return undefined;
  return matches.map((rule) => rule?.names.some((name) => names.has(name)) === true);
}
