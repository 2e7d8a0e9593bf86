import type { Descriptor, Entry } from '../../domain/descriptor.ts';
import { maxUint32 } from '../../domain/limit.ts';
import { octetsOf } from '../../domain/octets.ts';
import { parseObject } from '../log/json-line.ts';
import { lineFault, passedLine, type ReadLine } from '../log/log-line.ts';
import { createTimeReader, timeWanted } from '../log/log-time.ts';
import type { Condition, Field, MappedDescriptor, Mapping, ValueSource } from './mapping.ts';

/** The fields of a line, by name. */
type Fields = Readonly<Record<string, unknown>>;

/** Makes a reader of an access log's lines. A line of which no descriptor can be made asked for no decision. */
export function createMappedLineReader(mapping: Mapping): ReadLine {
  const timeOf = createTimeReader();
  const { pattern } = mapping;
  return (text) => {
    const fields = pattern === undefined ? parseObject(text) : matchLine(pattern, text);
    if (fields === undefined) {
      return lineFault(
        pattern === undefined ? 'it is not a JSON object' : 'it does not match the pattern of the mapping',
      );
    }
    if (!holds(mapping.when, fields)) return passedLine;
    const descriptors = descriptorsOf(mapping.descriptors, fields);
    const domain = textFrom(mapping.domain, fields);
    if (descriptors.length === 0 || domain === undefined) return passedLine;
    const timeMs = timeOf(textFrom(mapping.time, fields));
    if (timeMs === undefined) return lineFault(timeWanted);
    const hitsAddend = mapping.hits === undefined ? 0 : hitsOf(textFrom(mapping.hits, fields));
    if (hitsAddend === undefined) return lineFault(`the hits must be a whole number from 0 to ${maxUint32}`);
    return { kind: 'request', timeMs, request: { domain: octetsOf(domain), descriptors, hitsAddend } };
  };
}

function matchLine(pattern: RegExp, text: string): Fields | undefined {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  return pattern.exec(line)?.groups;
}

function descriptorsOf(mapped: readonly MappedDescriptor[], fields: Fields): readonly Descriptor[] {
  const descriptors: Descriptor[] = [];
  for (const { when, entries } of mapped) {
    if (!holds(when, fields)) continue;
    const made = entriesOf(entries, fields);
    if (made === undefined) continue;
    descriptors.push({ entries: made, limit: undefined, hitsAddend: undefined, isNegativeHits: false });
  }
  return descriptors;
}

function entriesOf(mapped: MappedDescriptor['entries'], fields: Fields): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  for (const { key, source, isOptional } of mapped) {
    const value = textFrom(source, fields);
    if (value !== undefined) entries.push({ key: octetsOf(key), value: octetsOf(value) });
    else if (!isOptional) return undefined;
  }
  return entries.length === 0 ? undefined : entries;
}

function holds(conditions: readonly Condition[], fields: Fields): boolean {
  return conditions.every(({ field, match }) => {
    const text = fieldText(field, fields);
    return text !== undefined && match.test(text);
  });
}

function textFrom(source: ValueSource, fields: Fields): string | undefined {
  if (source.kind === 'fixed') return source.value;
  const { field, match, otherwise } = source;
  const text = fieldText(field, fields);
  if (text === undefined || match === undefined) return text ?? otherwise;
  const found = match.exec(text);
  const part = found === null ? undefined : found.length > 1 ? found[1] : found[0];
  return part === undefined || part === '' ? otherwise : part;
}

/** undefined where the line has no such field, or says that there is nothing: Envoy writes `-`, or null in JSON. */
function fieldText({ name, path }: Field, fields: Fields): string | undefined {
  let value: unknown = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined && path.length > 1) value = valueAt(path, fields);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' && value !== '-' ? value : undefined;
}

function valueAt(path: readonly string[], fields: Fields): unknown {
  let value: unknown = fields;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

function hitsOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const hits = Number(text);
  return hits <= maxUint32 ? hits : undefined;
}
