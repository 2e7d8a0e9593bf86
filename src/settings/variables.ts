import type { Variable } from './variable.ts';
import { configVariables, ownConfigVariables } from './variables/config.ts';
import { limitVariables, ownLimitVariables } from './variables/limits.ts';
import { ownServerVariables, serverVariables } from './variables/servers.ts';
import { ownStatisticsVariables, statisticsPatterns, statisticsVariables } from './variables/statistics.ts';
import { ownStoreVariables, storeVariables } from './variables/store.ts';
import { tracingPatterns, tracingVariables } from './variables/tracing.ts';
import { transportVariables } from './variables/transport.ts';

/** The reference's variables, under their own names: what its source, its libraries and its README name. */
export const referenceVariables = {
  ...serverVariables,
  ...configVariables,
  ...statisticsVariables,
  ...tracingVariables,
  ...limitVariables,
  ...storeVariables,
};

/** The same, with a part of the name that the user chooses: `<NAME>`. */
export const referencePatterns: Readonly<Record<string, Variable<unknown>>> = {
  ...statisticsPatterns,
  ...tracingPatterns,
};

/** Weir's own variables. */
export const ownVariables = {
  ...ownConfigVariables,
  ...ownServerVariables,
  ...transportVariables,
  ...ownStatisticsVariables,
  ...ownLimitVariables,
  ...ownStoreVariables,
};

export const variables = { ...referenceVariables, ...ownVariables };

export type VariableName = keyof typeof variables;

/** The value of every variable by its name, defaults filled in. */
export type Values = {
  readonly [Name in VariableName]: (typeof variables)[Name] extends Variable<infer T> ? T : never;
};

export const variableNames = Object.freeze(Object.keys(variables) as VariableName[]);

/** A variable whose type of value does not matter. */
export function variableOf(name: VariableName): Variable<unknown> {
  return variables[name] as Variable<unknown>;
}

const patterns = Object.entries(referencePatterns).map(([name, variable]) => ({
  matches: new RegExp(`^${name.replace('<NAME>', '.+')}$`),
  variable,
}));

/** What a name stands for that is not itself in the table. */
export function patternOf(name: string): Variable<unknown> | undefined {
  if (name in variables) return undefined;
  return patterns.find(({ matches }) => matches.test(name))?.variable;
}
