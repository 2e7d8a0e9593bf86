import type { Descriptor, Entry, LimitOverride } from '../../domain/descriptor.ts';
import { maxUint32 } from '../../domain/limit.ts';
import { octetsOf } from '../../domain/octets.ts';
import { type Unit, units } from '../../domain/unit.ts';
import { type LineFault, type LogLine, lineFault, type ReadLine } from './log-line.ts';
import { createTimeReader, timeWanted } from './log-time.ts';

/**
 * Makes a reader of lines that are the message of `/json` each, and its time:
 * `{"time": ..., "domain": "api", "descriptors": [{"entries": [{"key": "user", "value": "ann"}]}], "hits": 1}`.
 */
export function createJsonLineReader(): ReadLine {
  const timeOf = createTimeReader();
  return (text) => {
    const line = parseObject(text);
    if (line === undefined) return lineFault('it is not a JSON object');
    const timeMs = timeOf(line['time']);
    if (timeMs === undefined) return lineFault(timeWanted);
    return requestLine(timeMs, line);
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object that a line is; undefined for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requestLine(timeMs: number, line: JsonObject): LogLine {
  const { domain, descriptors } = line;
  if (typeof domain !== 'string') return lineFault("'domain' must be text");
  if (!Array.isArray(descriptors)) return lineFault("'descriptors' must be a list");
  const hits = line['hits'] ?? line['hitsAddend'] ?? line['hits_addend'] ?? 0;
  if (!isWhole(hits, maxUint32)) return lineFault(`'hits' must be a whole number from 0 to ${maxUint32}`);
  const read = new Array<Descriptor>(descriptors.length);
  for (let index = 0; index < descriptors.length; index++) {
    const descriptor = descriptorOf(descriptors[index], `descriptors[${index}]`);
    if ('kind' in descriptor) return descriptor;
    read[index] = descriptor;
  }
  return {
    kind: 'request',
    timeMs,
    request: { domain: octetsOf(domain), descriptors: read, hitsAddend: hits },
  };
}

function descriptorOf(value: unknown, at: string): Descriptor | LineFault {
  if (!isObject(value) || !Array.isArray(value['entries'])) return lineFault(`${at} needs 'entries', a list`);
  const entries = entriesOf(value['entries'], at);
  if ('kind' in entries) return entries;
  const hits = value['hitsAddend'] ?? value['hits_addend'] ?? undefined;
  if (hits !== undefined && !isWhole(hits, Number.MAX_SAFE_INTEGER)) {
    return lineFault(`'hitsAddend' of ${at} must be a whole number from 0`);
  }
  const isNegativeHits = value['isNegativeHits'] ?? value['is_negative_hits'] ?? false;
  if (typeof isNegativeHits !== 'boolean')
    return lineFault(`'isNegativeHits' of ${at} must be true or false`);
  const limit = limitOf(value['limit'] ?? undefined, at);
  if (limit !== undefined && 'kind' in limit) return limit;
  return { entries, limit, hitsAddend: hits, isNegativeHits };
}

function entriesOf(values: readonly unknown[], at: string): readonly Entry[] | LineFault {
  const entries = new Array<Entry>(values.length);
  for (let index = 0; index < values.length; index++) {
    const entry = values[index];
    const { key, value = '' } = isObject(entry) ? entry : {};
    if (typeof key !== 'string' || typeof value !== 'string') {
      return lineFault(`${at}.entries[${index}] needs 'key' and 'value', both text`);
    }
    entries[index] = { key: octetsOf(key), value: octetsOf(value) };
  }
  return entries;
}

/** A limit that the request brings. */
function limitOf(value: unknown, at: string): LimitOverride | LineFault | undefined {
  if (value === undefined) return undefined;
  const limit = isObject(value) ? value : {};
  const requestsPerUnit = limit['requestsPerUnit'] ?? limit['requests_per_unit'] ?? 0;
  const unit = limit['unit'];
  if (!isWhole(requestsPerUnit, maxUint32) || !units.includes(unit as Unit)) {
    return lineFault(`'limit' of ${at} needs 'requestsPerUnit', and a 'unit' of ${units.join(', ')}`);
  }
  return { requestsPerUnit, unit: unit as Unit };
}

function isWhole(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}
