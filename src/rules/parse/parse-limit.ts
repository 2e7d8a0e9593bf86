import { type Unit, unitOfSeconds, unitSeconds, units } from '../../domain/unit.ts';
import { nearestWord } from '../nearest-word.ts';
import type { RateLimitDocument } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseAlgorithm } from './parse-algorithm.ts';
import type { Fields } from './parse-fields.ts';
import { parseBoolean, parseCount, parseText } from './parse-values.ts';
import { parseWindow } from './parse-window.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/** In lower case. */
export const unitWords: readonly string[] = Object.freeze(units.map((unit) => unit.toLowerCase()));

type Limit = Pick<RateLimitDocument, 'limit' | 'requestsPerUnit' | 'algorithm'>;

/** What a `rate_limit` allows; undefined when it is faulty, which has been reported. */
export function parseLimit(
  reading: Reading,
  node: YamlNode,
  fields: Fields,
  name: string,
): Limit | undefined {
  const isUnlimited = parseBoolean(reading, fields.get('unlimited'), 'unlimited');
  const requestsPerUnit = parseCount(reading, fields.get('requests_per_unit'), 'requests_per_unit');
  if (isUnlimited === true) {
    checkUnlimited(reading, fields);
    return { limit: 'unlimited', requestsPerUnit, algorithm: { kind: 'fixed_window' } };
  }
  const unit = fields.get('unit');
  const window = fields.get('window');
  let windowSeconds: number | undefined;
  if (unit !== undefined && window !== undefined) {
    reading.report('error', 'unit-and-window', window, "a limit has either 'unit' or 'window'");
  } else if (window !== undefined) {
    windowSeconds = parseWindowField(reading, window);
  } else if (unit !== undefined) {
    windowSeconds = parseUnit(reading, unit);
  } else if (isUnlimited !== undefined && !fields.hasFaultyKeys) {
    const message = `a limit needs a 'unit' (${unitWords.join(', ')}) or a 'window' (such as 10s), or 'unlimited: true'`;
    reading.report('error', 'unit-missing', node, message);
  }
  if (windowSeconds === undefined) return undefined;
  if (fields.get('requests_per_unit') === undefined && !fields.hasFaultyKeys) {
    const message =
      "without 'requests_per_unit' the limit is 0, which denies everything; write 0 if that is meant";
    reading.report('lint', 'requests-missing', node, message);
  }
  const limit = { requestsPerUnit, windowSeconds, unit: unitOfSeconds(windowSeconds), name };
  return { limit, requestsPerUnit, algorithm: parseAlgorithm(reading, fields, limit) };
}

/** What stands beside `unlimited: true`. The reference refuses a unit, and does not notice a word that is none. */
function checkUnlimited(reading: Reading, fields: Fields): void {
  const unit = fields.get('unit');
  const text = parseText(reading, unit, 'unit');
  if (unit !== undefined && text !== undefined && text !== '') {
    if (unitOf(text) !== undefined) reportLength(reading, unit, 'unit');
    else reportWithoutEffect(reading, unit, 'unit');
  }
  const window = fields.get('window');
  if (window !== undefined) reportLength(reading, window, 'window');
  const requests = fields.get('requests_per_unit');
  if (requests !== undefined) reportWithoutEffect(reading, requests, 'requests_per_unit');
  for (const key of ['algorithm', 'burst', 'align', 'timezone', 'warn_at']) {
    const node = fields.get(key);
    if (node !== undefined) reportMeaningless(reading, node, key);
  }
}

function reportMeaningless(reading: Reading, node: YamlNode, key: string): void {
  const message = `an unlimited rule counts nothing, so '${key}' means nothing; leave out one of both`;
  reading.report('error', 'unlimited-with-algorithm', node, message);
}

function reportLength(reading: Reading, node: YamlNode, key: string): void {
  const message = `an unlimited rule has no window; leave out '${key}' or 'unlimited'`;
  reading.report('error', 'unlimited-with-unit', node, message);
}

function reportWithoutEffect(reading: Reading, node: YamlNode, key: string): void {
  const message = `'${key}' has no effect on an unlimited rule`;
  reading.report('ignored', 'unlimited-with-limit', node, message);
}

function parseWindowField(reading: Reading, node: YamlNode): number | undefined {
  const text = parseText(reading, node, 'window');
  if (text === undefined) return undefined;
  const seconds = parseWindow(text);
  if (typeof seconds === 'number') return seconds;
  reading.report('error', 'bad-window', node, seconds);
  return undefined;
}

function parseUnit(reading: Reading, node: YamlNode): number | undefined {
  const text = parseText(reading, node, 'unit');
  if (text === undefined) return undefined;
  const unit = unitOf(text);
  if (unit !== undefined) return unitSeconds[unit];
  const near = nearestWord(text.trim().toLowerCase(), unitWords);
  const hint = near === undefined ? `it is one of ${unitWords.join(', ')}` : `did you mean '${near}'?`;
  reading.report('error', 'unknown-unit', node, `unknown unit '${shorten(text)}', ${hint}`);
  return undefined;
}

/** In any case, as in the reference. */
export function unitOf(text: string): Unit | undefined {
  return units.find((unit) => unit === text.toUpperCase());
}
