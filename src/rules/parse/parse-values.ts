import { maxUint32 } from '../../domain/limit.ts';
import type { YamlNode, YamlScalar } from '../yaml/yaml-node.ts';
import { resolveScalar, type ScalarValue } from '../yaml/yaml-scalar.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/**
 * A text. Numbers, booleans and dates are the text that stands there; null and nothing at all are the empty text.
 * What YAML takes for a float must be in quotes, as in the reference: `1.10` and `1.1` would be one number.
 */
export function parseText(reading: Reading, node: YamlNode | undefined, name: string): string | undefined {
  if (node === undefined) return '';
  const scalar = scalarOf(reading, node, `'${name}' must be text`);
  if (scalar === undefined) return undefined;
  const value = resolveScalar(scalar);
  switch (value.kind) {
    case 'null':
      return '';
    case 'text':
      return value.value;
    case 'boolean':
      return scalar.text;
    case 'integer':
      if (!value.isHuge) return scalar.text;
      break;
    case 'fault':
      return reportFault(reading, node, value);
  }
  const written = shorten(scalar.text);
  reading.report(
    'error',
    'wrong-type',
    node,
    `'${name}' must be text, and ${written} is a number; write "${written}"`,
  );
  return undefined;
}

/** Null and nothing at all are false; undefined when it is faulty, which has been reported. */
export function parseBoolean(
  reading: Reading,
  node: YamlNode | undefined,
  name: string,
): boolean | undefined {
  if (node === undefined) return false;
  const wanted = `'${name}' must be true or false`;
  const scalar = scalarOf(reading, node, wanted);
  if (scalar === undefined) return undefined;
  const value = resolveScalar(scalar);
  if (value.kind === 'null') return false;
  if (value.kind === 'boolean') return value.value;
  if (value.kind === 'fault') return reportFault(reading, node, value);
  reading.report('error', 'wrong-type', node, wanted + hintOf(scalar));
  return undefined;
}

/** A whole number from 0 to 2^32-1. Null and nothing at all are 0. */
export function parseCount(reading: Reading, node: YamlNode | undefined, name: string): number {
  if (node === undefined) return 0;
  const wanted = `'${name}' must be a whole number from 0 to ${maxUint32}`;
  const scalar = scalarOf(reading, node, wanted);
  if (scalar === undefined) return 0;
  const value = resolveScalar(scalar);
  if (value.kind === 'null') return 0;
  if (value.kind === 'integer' && value.value >= 0 && value.value <= maxUint32) return value.value;
  if (value.kind === 'fault') {
    reportFault(reading, node, value);
    return 0;
  }
  const code = value.kind === 'integer' ? 'number-out-of-range' : 'wrong-type';
  reading.report('error', code, node, wanted + hintOf(scalar));
  return 0;
}

function scalarOf(reading: Reading, node: YamlNode, wanted: string): YamlScalar | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  reading.walk.leave(node);
  if (content.kind === 'scalar') return content;
  reading.report(
    'error',
    'wrong-type',
    node,
    `${wanted}, not a ${content.kind === 'sequence' ? 'list' : 'mapping'}`,
  );
  return undefined;
}

function hintOf(scalar: YamlScalar): string {
  return scalar.isPlain ? `, not '${shorten(scalar.text)}'` : ', without quotes';
}

function reportFault(reading: Reading, node: YamlNode, fault: ScalarValue & { kind: 'fault' }): undefined {
  reading.report('error', 'wrong-type', node, fault.message);
}
