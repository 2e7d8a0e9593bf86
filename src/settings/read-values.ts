import { nearMiss } from './near-miss.ts';
import type { SettingIssue } from './settings.ts';
import type { Variable } from './variable.ts';
import { patternOf, type Values, type VariableName, variableNames, variableOf } from './variables.ts';

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables one by one; what they mean together is decided after. */
export interface ReadValues {
  readonly values: Values;
  /** Set, not empty, and read without an error. */
  isSet(name: VariableName): boolean;
  readonly errors: readonly SettingIssue[];
  readonly warnings: readonly SettingIssue[];
}

export function readValues(env: Environment): ReadValues {
  const errors: SettingIssue[] = [];
  const warnings: SettingIssue[] = [];
  const values: Record<string, unknown> = {};
  const set = new Set<VariableName>();
  for (const name of variableNames) {
    const variable = variableOf(name);
    values[name] = variable.default;
    const text = env[name];
    if (text === undefined || text === '') continue;
    if (variable.class === 'without effect') {
      warnings.push(noEffect(name, text, variable));
      continue;
    }
    const result = readOne(name, text, variable);
    if ('error' in result) {
      errors.push({ variable: name, message: result.error });
    } else {
      values[name] = result.value;
      set.add(name);
    }
  }
  warnings.push(...aboutOthers(env));
  return { values: values as Values, isSet: (name) => set.has(name), errors, warnings };
}

function readOne(
  name: string,
  text: string,
  variable: Variable<unknown>,
): { value: unknown } | { error: string } {
  const result = variable.type.parse(text);
  if (!result.ok) {
    const quoted = !variable.secret && isHarmless.test(text) ? `, not ${JSON.stringify(text)}` : '';
    return { error: `${name} must be ${result.expected}${quoted}.` };
  }
  const refusal = variable.refuses(result.value);
  return refusal === undefined ? { value: result.value } : { error: `${name}: ${refusal}` };
}

/**
 * What may be quoted: short, on one line, and without the sign that parts a password from a host. Secrets also get into
 * variables that are not meant for them, such as the text of a key into one that names its file.
 */
const isHarmless = /^[ -?A-~]{1,80}$/;

/** The value is looked at all the same: whoever goes back to the reference would not get it to start with a bad one. */
function noEffect(name: string, text: string, variable: Variable<unknown>): SettingIssue {
  const result = variable.type.parse(text);
  const remark = result.ok ? '' : ` Its value is not right either: it must be ${result.expected}.`;
  return { variable: name, message: `${name} has no effect: ${variable.reason}.${remark}` };
}

/** Variables whose names have a free part, and those that look like a slip. */
function aboutOthers(env: Environment): SettingIssue[] {
  return Object.entries(env).flatMap(([name, text = '']) => {
    if (text === '') return [];
    const pattern = patternOf(name);
    const issue = pattern === undefined ? nearMiss(name, text) : noEffect(name, text, pattern);
    return issue === undefined ? [] : [issue];
  });
}
