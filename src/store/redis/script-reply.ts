/** What `lua/fixed_window.lua` answered, as its header says. */
export interface ScriptReply {
  /** The server's time, in ms since the epoch. */
  readonly nowMs: number;
  /** The integers after it; a text is the error that stands in the place of one. */
  readonly results: readonly (number | string)[];
}

const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
/** The script's sign for "the next of the errors". */
const failed = -2;

/** @returns undefined when it is no answer of that script */
export function readScriptReply(reply: unknown): ScriptReply | undefined {
  if (!Array.isArray(reply)) return undefined;
  const [text, ...errors]: unknown[] = reply;
  if (typeof text !== 'string' || !areTexts(errors)) return undefined;
  // The time is read apart from the rest: an array whose integers are all small is made and read fastest.
  const timeEnd = text.indexOf(',') + 1;
  const nowMs = readIntegers(text.slice(0, timeEnd))?.[0];
  const integers = readIntegers(text.slice(timeEnd));
  if (nowMs === undefined || nowMs < 0 || integers === undefined) return undefined;
  const results = withErrors(integers, errors);
  return results === undefined ? undefined : { nowMs, results };
}

/** Integers from -2 on, with a comma after each. */
function readIntegers(text: string): number[] | undefined {
  const integers: number[] = [];
  let start = 0;
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) value = value * 10 + code - zero;
    else if (code === comma && at > start) {
      if (text.charCodeAt(start) === minus) {
        if (value !== 1 && value !== 2) return undefined;
        value = -value;
      }
      integers.push(value);
      value = 0;
      start = at + 1;
    } else if (code !== minus || at !== start) return undefined;
  }
  return start === text.length ? integers : undefined;
}

/** Puts the errors in their places; undefined when there are more of the one than of the other. */
function withErrors(
  integers: readonly number[],
  errors: readonly string[],
): readonly (number | string)[] | undefined {
  if (errors.length === 0) return integers.includes(failed) ? undefined : integers;
  let used = 0;
  const results = integers.map((integer) => {
    if (integer !== failed) return integer;
    used += 1;
    return errors[used - 1] ?? integer;
  });
  return used === errors.length ? results : undefined;
}

function areTexts(parts: readonly unknown[]): parts is string[] {
  return parts.every((part) => typeof part === 'string');
}
