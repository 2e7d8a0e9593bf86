import { isToken, tokenSyntax } from '../server/http/token-syntax.ts';
import { parseGoBool } from './go-bool.ts';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';
import { parseGoFloat } from './go-float.ts';
import { parseGoInteger, type Range } from './go-integer.ts';
import { parseAssignments, parseGoList, parseGoMap } from './go-list.ts';
import { type Parsed, parsed, unreadable } from './parsed.ts';

/** How a variable's text becomes a value, and a value text. */
export interface ValueType<T> {
  /** As the documentation names it. */
  readonly name: string;
  parse(text: string): Parsed<T>;
  format(value: T): string;
}

/** One line: a line break is nearly always the end of a file that went into a Kubernetes secret with the text. */
export const text: ValueType<string> = {
  name: 'text',
  parse: (value) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    /[\0-\x1f\x7f]/.test(value)
      ? unreadable('one line, without a line break or another control character')
      : parsed(value),
  format: (value) => value,
};

/** Text of any number of lines. */
export const lines: ValueType<string> = {
  name: 'text',
  parse: parsed,
  format: (value) => (value === '' ? '' : JSON.stringify(value)),
};

export const flag: ValueType<boolean> = { name: 'bool', parse: parseGoBool, format: String };

export function integer(range: Partial<Range> = {}): ValueType<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  return { name: 'int', parse: (value) => parseGoInteger(value, { min, max }), format: String };
}

export const port: ValueType<number> = {
  name: 'port',
  parse: (value) =>
    // Kubernetes gives each pod a variable such as GRPC_PORT=tcp://10.0.0.7:8081 for a Service that is called "grpc".
    value.startsWith('tcp://')
      ? unreadable(
          'a port number; this text comes from Kubernetes, for a Service with that name (set enableServiceLinks: false in the pod)',
        )
      : parseGoInteger(value, { min: 0, max: 65_535 }),
  format: String,
};

/**
 * Timers hold at most 2^31 - 1 ms, and one that is longer ends at once. Users write a year for "never", so what is longer
 * than this counts as this; it leaves room for a jitter of 10 %.
 */
export const longestDurationMs = 20 * 24 * 3_600_000;

export function duration(options: { readonly positive: boolean } = { positive: false }): ValueType<number> {
  return {
    name: 'duration',
    parse(value) {
      const result = parseGoDuration(value);
      if (!result.ok) return result;
      if (result.value < 0 || (options.positive && result.value === 0)) {
        return unreadable(options.positive ? 'a duration above 0' : 'a duration of 0 or more');
      }
      return parsed(Math.min(result.value, longestDurationMs));
    },
    format: formatGoDuration,
  };
}

/** A ratio that is kept in 32 bits, as the reference keeps it: it decides at which count the near limit begins. */
export const ratio32: ValueType<number> = {
  name: 'float32',
  parse(value) {
    const result = parseGoFloat(value);
    return !result.ok || result.value < 0
      ? unreadable('a number of 0 or more, such as 0.8')
      : parsed(Math.fround(result.value));
  },
  // The shortest decimal that is this 32-bit number: 0.8, not 0.800000011920929.
  format: (value) => String(Number(value.toPrecision(7))),
};

/** A part of a whole, as `1/4` or as `0.25`. */
export const share: ValueType<number> = {
  name: 'share',
  parse(value) {
    const fraction = /^1\/([1-9]\d{0,5})$/.exec(value);
    const result = fraction === null ? parseGoFloat(value) : parsed(1 / Number(fraction[1]));
    return result.ok && result.value > 0 && result.value <= 1
      ? result
      : unreadable('a part above 0 and up to 1, such as 1/4 or 0.25');
  },
  format: String,
};

export const float64: ValueType<number> = { name: 'float64', parse: parseGoFloat, format: String };

export const list: ValueType<readonly string[]> = {
  name: 'list',
  parse: parseGoList,
  format: (value) => value.join(','),
};

export const map: ValueType<ReadonlyMap<string, string>> = {
  name: 'map',
  parse: parseGoMap,
  format: (value) => [...value].map(([key, item]) => `${key}:${item}`).join(','),
};

/** `name=value` pairs parted by commas; the first `=` of each parts the two. */
export const assignments: ValueType<ReadonlyMap<string, string>> = {
  name: 'pairs',
  parse: parseAssignments,
  format: (value) => [...value].map(([key, item]) => `${key}=${item}`).join(','),
};

/**
 * One of some words, in any case. Several words may mean the same value.
 * @param notOffered words that are understood only to say why they are refused
 */
export function choice<T extends string>(
  words: Readonly<Record<string, T>>,
  notOffered: Readonly<Record<string, T>> = {},
): ValueType<T> {
  const all = { ...words, ...notOffered };
  const byWord = new Map(Object.entries(all).map(([word, value]) => [word.toLowerCase(), value]));
  const offered = Object.keys(words);
  const expected = offered.length === 1 ? `${offered[0]}` : `one of ${offered.join(', ')}`;
  return {
    name: offered.join(' / '),
    parse(value) {
      const found = byWord.get(value.toLowerCase());
      return found === undefined ? unreadable(expected) : parsed(found);
    },
    format: (value) => Object.keys(all).find((word) => all[word] === value) ?? value,
  };
}

/** An HTTP field name, which is a token (RFC 9110, section 5.6.2). */
export const headerName: ValueType<string> = {
  name: 'header name',
  parse: (value) =>
    /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)
      ? parsed(value)
      : unreadable('a header name such as RateLimit-Limit'),
  format: (value) => value,
};

/** A media type with its parameters (RFC 9110, section 8.3.1), in printable ASCII. */
export const mediaType: ValueType<string> = {
  name: 'media type',
  parse: (value) =>
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[ -~]*)?$/.test(value)
      ? parsed(value)
      : unreadable('a media type such as text/plain; charset=utf-8'),
  format: (value) => value,
};

/** What is sent as `Authorization: Bearer ...`. */
export const bearerToken: ValueType<string> = {
  name: 'token',
  parse: (value) => (isToken(value) ? parsed(value) : unreadable(tokenSyntax)),
  format: (value) => value,
};
