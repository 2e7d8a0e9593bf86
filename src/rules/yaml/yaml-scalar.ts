import { shorten } from '../parse/shorten.ts';
import type { YamlScalar } from './yaml-node.ts';

/**
 * What a scalar means, as go-yaml 2 resolves YAML 1.1: `yes` and `on` are true, `010` is eight, `1_000` a thousand,
 * base 60 (`1:30`) and dates are text.
 */
export type ScalarValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** `value` is exact below 2^53; `isHuge` from 2^63 and below -2^63, where the reference has no whole number. */
  | { readonly kind: 'integer'; readonly value: number; readonly isHuge: boolean }
  | { readonly kind: 'float'; readonly value: number }
  /** The tag and the text do not fit. */
  | { readonly kind: 'fault'; readonly message: string };

const words = new Map<string, ScalarValue>();
addWords({ kind: 'boolean', value: true }, 'y', 'yes', 'on', 'true');
addWords({ kind: 'boolean', value: false }, 'n', 'no', 'off', 'false');
addWords({ kind: 'null' }, '', '~', 'null');
addWords({ kind: 'float', value: Number.NaN }, '.nan', '.NaN');
addWords({ kind: 'float', value: Number.POSITIVE_INFINITY }, '.inf', '+.inf');
addWords({ kind: 'float', value: Number.NEGATIVE_INFINITY }, '-.inf');

/** In lower case, with a capital, and in capitals: `yEs` is text. */
function addWords(value: ScalarValue, ...spellings: string[]): void {
  for (const spelling of spellings) {
    words.set(spelling, Object.freeze(value));
    words.set(spelling.toUpperCase(), value);
    words.set(
      spelling.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      value,
    );
  }
}

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const tagPrefix = 'tag:yaml.org,2002:';

export function resolveScalar(scalar: YamlScalar): ScalarValue {
  const tag = shortTag(scalar.tag);
  switch (tag) {
    case undefined:
      return scalar.isPlain ? resolvePlain(scalar.text) : { kind: 'text', value: scalar.text };
    case 'binary':
      return decodeBinary(scalar.text);
    case 'null':
    case 'bool':
    case 'int':
    case 'float':
      return fitTag(tag, scalar.text);
    default:
      // A tag of the application's own says nothing here; the reference takes the text.
      return { kind: 'text', value: scalar.text };
  }
}

/** Whether a key is the merge key `<<` (https://yaml.org/type/merge.html): quoted, it is ordinary text. */
export function isMergeKey(scalar: YamlScalar): boolean {
  if (scalar.text !== '<<') return false;
  return scalar.tag === undefined ? scalar.isPlain : shortTag(scalar.tag) === 'merge';
}

function shortTag(tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined;
  if (tag.startsWith('!!')) return tag.slice(2);
  if (tag.startsWith(`!<${tagPrefix}`)) return tag.slice(tagPrefix.length + 2, -1);
  return tag;
}

function resolvePlain(text: string): ScalarValue {
  return words.get(text) ?? resolveNumber(text) ?? { kind: 'text', value: text };
}

/** Underscores may stand anywhere behind the first character. A leading zero with an 8 or 9 makes a float of it. */
function resolveNumber(text: string): ScalarValue | undefined {
  if (!/^[-+.0-9]/.test(text)) return undefined;
  // go-yaml takes underscores out of what begins with a digit or a sign only.
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  const match = integer.exec(plain);
  if (match !== null) return integerOf(match);
  return float.test(plain) ? { kind: 'float', value: Number(plain) } : undefined;
}

function integerOf([, sign, hex, binary, octal, decimal]: RegExpExecArray): ScalarValue {
  const digits = hex ?? binary ?? octal ?? decimal ?? '';
  const radix = hex !== undefined ? 16 : binary !== undefined ? 2 : octal !== undefined ? 8 : 10;
  const size = Number.parseInt(digits, radix);
  const value = size === 0 ? 0 : sign === '-' ? -size : size;
  // 2^63 is a double, so the comparison is exact but for numbers that round to it, which are as unfit.
  return { kind: 'integer', value, isHuge: size >= 2 ** 63 };
}

function decodeBinary(text: string): ScalarValue {
  const packed = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed)) {
    return { kind: 'fault', message: '!!binary needs base64' };
  }
  try {
    const value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(packed, 'base64'),
    );
    return { kind: 'text', value };
  } catch {
    return { kind: 'fault', message: 'the bytes of this !!binary are not UTF-8 text' };
  }
}

function fitTag(tag: 'null' | 'bool' | 'int' | 'float', text: string): ScalarValue {
  const value = resolvePlain(text);
  if (tag === 'float' && value.kind === 'integer') return { kind: 'float', value: value.value };
  const kinds = { null: 'null', bool: 'boolean', int: 'integer', float: 'float' } as const;
  if (value.kind === kinds[tag]) return value;
  return { kind: 'fault', message: `'${shorten(text)}' does not fit the tag !!${tag}` };
}
