import type { ReadValues } from './read-values.ts';
import type { SettingIssue } from './settings.ts';
import { type Values, type VariableName, variableNames, variableOf } from './variables.ts';

/** What the groups are made from, and where they say what does not fit together. */
export interface Checks {
  readonly values: Values;
  /** Set, not empty, and read without an error. */
  isSet(name: VariableName): boolean;
  /** Nothing is wrong with it so far; it may be unset. */
  isSound(name: VariableName): boolean;
  /** Says nothing about a variable that has an error already. @param sentence follows the variable's name */
  fail(name: VariableName, sentence: string): void;
  warn(name: VariableName, sentence: string): void;
  /** Nothing reads these: they are not in force, and whoever set one is told. */
  unused(names: readonly VariableName[], because: string): void;
  /** The value that holds, where it is not the variable's own. */
  holds(name: VariableName, value: string): void;
  /** Every variable that has a meaning and a value, as it may be printed. To be asked for when all groups are made. */
  inForce(): Record<string, string>;
}

export function createChecks(read: ReadValues, errors: SettingIssue[], warnings: SettingIssue[]): Checks {
  const unused = new Set<VariableName>();
  const held = new Map<VariableName, string>();
  const issue = (name: VariableName, sentence: string) => ({
    variable: name,
    message: `${name} ${sentence}`,
  });
  const isSound = (name: VariableName) => !errors.some(({ variable }) => variable === name);
  return {
    values: read.values,
    isSet: read.isSet,
    isSound,
    fail(name, sentence) {
      if (isSound(name)) errors.push(issue(name, sentence));
    },
    warn: (name, sentence) => warnings.push(issue(name, sentence)),
    unused(names, because) {
      for (const name of names) {
        unused.add(name);
        if (read.isSet(name)) warnings.push(issue(name, `has no effect: ${because}.`));
      }
    },
    holds: (name, value) => held.set(name, value),
    inForce() {
      const shown = variableNames
        .filter((name) => variableOf(name).class === 'honoured' && !unused.has(name))
        .map((name) => [name, held.get(name) ?? variableOf(name).show(read.values[name])] as const);
      return Object.fromEntries(shown.filter(([, value]) => value !== ''));
    },
  };
}

/** Empty texts of optional settings are no values. */
export function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
