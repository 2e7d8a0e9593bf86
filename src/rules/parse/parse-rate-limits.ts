import { maxUint32 } from '../../domain/limit.ts';
import { unitOfSeconds, unitSeconds } from '../../domain/unit.ts';
import type { RateLimitDocument } from '../rules-document.ts';
import type { YamlNode, YamlScalar } from '../yaml/yaml-node.ts';
import { resolveScalar } from '../yaml/yaml-scalar.ts';
import { unitOf } from './parse-limit.ts';
import { parseRateLimit } from './parse-rate-limit.ts';
import { parseWindow } from './parse-window.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/** More limits than this on one descriptor are a mistake, and each of them is counted for every hit. */
const maxLimits = 8;

/** A rule's limits: one under `rate_limit`, or a list under `rate_limits`. */
export function parseLimits(
  reading: Reading,
  one: YamlNode | undefined,
  list: YamlNode | undefined,
): readonly RateLimitDocument[] {
  if (one !== undefined && list !== undefined) {
    reading.report('error', 'limit-and-limits', list, "a rule has either 'rate_limit' or 'rate_limits'");
  }
  if (list !== undefined) return parseList(reading, list);
  const limit = one === undefined ? undefined : parseRateLimit(reading, one);
  return limit === undefined ? [] : [limit];
}

function parseList(reading: Reading, node: YamlNode): readonly RateLimitDocument[] {
  const content = reading.walk.enter(node);
  if (content === undefined) return [];
  const limits: RateLimitDocument[] = [];
  if (content.kind !== 'sequence') {
    const message = "'rate_limits' is a list of limits, such as [4/second, 20/day]";
    reading.report('error', 'wrong-type', node, message);
  } else if (content.items.length === 0 || content.items.length > maxLimits) {
    reading.report('error', 'number-of-limits', node, `'rate_limits' holds 1 to ${maxLimits} limits`);
  } else {
    for (const item of content.items) {
      const limit = parseItem(reading, item);
      if (limit !== undefined && isSound(reading, item, limit, limits)) limits.push(limit);
    }
  }
  reading.walk.leave(node);
  return limits;
}

function parseItem(reading: Reading, item: YamlNode): RateLimitDocument | undefined {
  const content = reading.walk.enter(item);
  if (content === undefined) return undefined;
  reading.walk.leave(item);
  if (content.kind === 'mapping') return parseRateLimit(reading, item);
  if (content.kind === 'scalar') return parseShort(reading, item, content);
  reading.report('error', 'wrong-type', item, 'a limit is a mapping, or text such as 4/second');
  return undefined;
}

/** `4/second` or `100/10s`. */
function parseShort(reading: Reading, item: YamlNode, scalar: YamlScalar): RateLimitDocument | undefined {
  const value = resolveScalar(scalar);
  const [, digits = '', word = ''] =
    value.kind === 'text' ? (/^(\d{1,10})\/(\w+)$/.exec(value.value) ?? []) : [];
  const unit = unitOf(word);
  const windowSeconds = unit === undefined ? parseWindow(word) : unitSeconds[unit];
  const requestsPerUnit = Number(digits);
  if (digits === '' || typeof windowSeconds === 'string' || requestsPerUnit > maxUint32) {
    const message = `a limit is a number and a unit or window, such as 4/second or 100/10s, not '${shorten(scalar.text)}'`;
    reading.report('error', 'bad-limit', item, message);
    return undefined;
  }
  return {
    limit: { requestsPerUnit, windowSeconds, unit: unitOfSeconds(windowSeconds), name: '' },
    algorithm: { kind: 'fixed_window' },
    warnAt: [],
    requestsPerUnit,
    name: '',
    replaces: [],
    at: reading.positionOf(item),
  };
}

/** Two limits with one counter would count each hit twice; the lower one is all there is to say. */
function isSound(
  reading: Reading,
  item: YamlNode,
  document: RateLimitDocument,
  before: readonly RateLimitDocument[],
): boolean {
  if (document.limit === 'unlimited') {
    reading.report(
      'error',
      'unlimited-among-limits',
      item,
      "an unlimited rule stands alone, under 'rate_limit'",
    );
    return false;
  }
  const way = countingOf(document);
  if (!before.some((other) => countingOf(other) === way)) return true;
  const message =
    'a limit that counts in the same way is in this list already; the lower one of both is enough';
  reading.report('error', 'duplicate-limit', item, message);
  return false;
}

/** Equal for limits that have one counter. */
function countingOf({ limit, algorithm }: RateLimitDocument): string {
  if (limit === 'unlimited') return '';
  const { windowSeconds, requestsPerUnit } = limit;
  return JSON.stringify([windowSeconds, algorithm, algorithm.kind === 'token_bucket' ? requestsPerUnit : 0]);
}
