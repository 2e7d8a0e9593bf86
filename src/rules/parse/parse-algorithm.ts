import { calendarUnits, timeZoneOf } from '../../domain/calendar.ts';
import { tokenBucket } from '../../domain/counting.ts';
import type { RateLimit } from '../../domain/limit.ts';
import { nearestWord } from '../nearest-word.ts';
import type { AlgorithmDocument } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import type { Fields } from './parse-fields.ts';
import { parseCount, parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

const words = ['fixed_window', 'sliding_window', 'token_bucket'] as const;
type Word = (typeof words)[number];
const aligns = ['epoch', 'calendar'] as const;

const fixedWindow: AlgorithmDocument = Object.freeze({ kind: 'fixed_window' });

/** How a limit counts; fixed windows where nothing is said, and where it is faulty, which has been reported. */
export function parseAlgorithm(reading: Reading, fields: Fields, limit: RateLimit): AlgorithmDocument {
  const word = parseWord(reading, fields.get('algorithm'), 'algorithm', words) ?? 'fixed_window';
  const calendar = parseCalendar(reading, fields, word, limit);
  const burst = fields.get('burst');
  if (word === 'token_bucket') return parseBucket(reading, burst, fields.get('requests_per_unit'), limit);
  if (burst !== undefined) {
    const message = "'burst' is the size of a bucket, and belongs to 'algorithm: token_bucket'";
    reading.report('error', 'bad-algorithm', burst, message);
  }
  return word === 'sliding_window' ? { kind: word } : (calendar ?? fixedWindow);
}

function parseWord<W extends string>(
  reading: Reading,
  node: YamlNode | undefined,
  name: string,
  known: readonly W[],
): W | undefined {
  const text = parseText(reading, node, name);
  if (node === undefined || text === undefined || text === '') return undefined;
  const word = known.find((one) => one === text);
  if (word !== undefined) return word;
  const near = nearestWord(text.trim().toLowerCase(), known);
  const hint = near === undefined ? `it is one of ${known.join(', ')}` : `did you mean '${near}'?`;
  reading.report('error', 'bad-algorithm', node, `unknown ${name} '${shorten(text)}', ${hint}`);
  return undefined;
}

/** A bucket holds what the limit allows in a window, unless it says otherwise. */
function parseBucket(
  reading: Reading,
  node: YamlNode | undefined,
  requests: YamlNode | undefined,
  { requestsPerUnit, windowSeconds }: RateLimit,
): AlgorithmDocument {
  const written = parseCount(reading, node, 'burst');
  const burst = node === undefined ? requestsPerUnit : written;
  const place = node ?? requests;
  if (node !== undefined && (written === 0) !== (requestsPerUnit === 0)) {
    const message =
      "a bucket with a 'burst' needs requests to fill it, and one that is filled a 'burst' above 0";
    reading.report('error', 'bad-algorithm', node, message);
  } else if (place !== undefined && tokenBucket(requestsPerUnit, windowSeconds, burst) === undefined) {
    const message = `a bucket of ${burst} that gains ${requestsPerUnit} in ${windowSeconds} s cannot be counted exactly; take a smaller 'burst', a shorter window, or a rounder number`;
    reading.report('error', 'bad-algorithm', place, message);
  }
  return { kind: 'token_bucket', burst };
}

/** undefined for windows that are aligned to the epoch. */
function parseCalendar(
  reading: Reading,
  fields: Fields,
  word: Word,
  limit: RateLimit,
): AlgorithmDocument | undefined {
  const node = fields.get('align');
  const zone = fields.get('timezone');
  const isCalendar = parseWord(reading, node, 'align', aligns) === 'calendar';
  if (!isCalendar || node === undefined) {
    if (zone !== undefined && !fields.hasFaultyKeys)
      reading.report('error', 'bad-calendar', zone, "'timezone' belongs to 'align: calendar'");
    return undefined;
  }
  if (word !== 'fixed_window') {
    const message = `windows of the calendar begin at 0; 'algorithm: ${word}' knows no such windows`;
    reading.report('error', 'bad-calendar', node, message);
  } else if (fields.get('window') !== undefined || !calendarUnits.some((unit) => unit === limit.unit)) {
    const units = calendarUnits.map((unit) => unit.toLowerCase()).join(', ');
    reading.report(
      'error',
      'bad-calendar',
      node,
      `'align: calendar' needs a 'unit' of the calendar: ${units}`,
    );
  }
  return { kind: 'calendar_window', timeZone: parseTimeZone(reading, zone) };
}

function parseTimeZone(reading: Reading, node: YamlNode | undefined): string {
  const text = parseText(reading, node, 'timezone');
  if (node === undefined || text === undefined || text === '') return 'UTC';
  const zone = /^[\w+\-/:]{1,64}$/.test(text) ? timeZoneOf(text) : undefined;
  if (zone !== undefined) return zone;
  const near = nearestWord(text, Intl.supportedValuesOf('timeZone'));
  const hint = near === undefined ? 'it is a name such as Europe/Berlin' : `did you mean '${near}'?`;
  reading.report('error', 'bad-calendar', node, `unknown timezone '${shorten(text)}', ${hint}`);
  return 'UTC';
}
