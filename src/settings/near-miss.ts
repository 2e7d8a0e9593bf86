import { isOneTypo } from './one-typo.ts';
import type { SettingIssue } from './settings.ts';
import { patternOf, type VariableName, variableNames, variables } from './variables.ts';

/** Names shorter than this are near to too many of others'. */
const leastLength = 8;

/**
 * A variable that is not known, but nearly. Most of an environment belongs to others, so this is only a warning, and only
 * where hardly anything else can be meant: one slip, another case, or a prefix that Weir's variables do not have.
 */
export function nearMiss(name: string, value: string): SettingIssue | undefined {
  if (name in variables || patternOf(name) !== undefined) return undefined;
  const meant = withoutPrefix(name, value) ?? variableNames.find((known) => isNear(name, known));
  if (meant === undefined) return undefined;
  return { variable: name, message: `${name} is not known and has no effect. Did you mean ${meant}?` };
}

function withoutPrefix(name: string, value: string): VariableName | undefined {
  // Kubernetes sets WEIR_PORT=tcp://... by itself for a Service that is called "weir".
  if (!name.startsWith('WEIR_') || value.startsWith('tcp://')) return undefined;
  return variableNames.find((known) => known === name.slice('WEIR_'.length));
}

function isNear(name: string, known: VariableName): boolean {
  if (known.length < leastLength) return false;
  const upper = name.toUpperCase();
  return upper === known || isOneTypo(upper, known);
}
