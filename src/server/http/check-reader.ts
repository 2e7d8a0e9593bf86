import { type Failure, invalidArgument } from '../../domain/decision.ts';
import type { Descriptor, Entry, RateLimitRequest } from '../../domain/descriptor.ts';
import { maxUint32 } from '../../domain/limit.ts';
import {
  type Decode,
  fieldsByName,
  formDecoded,
  parseWrittenDescriptor,
  percentDecoded,
  type WrittenEntry,
} from './check-text.ts';

/** What `/check` is asked. */
export type Check =
  /** `denyStatus` is that of a denial. */
  | { readonly kind: 'check'; readonly request: RateLimitRequest; readonly denyStatus: number }
  /** Each descriptor names a header that did not come. Envoy makes no call then. */
  | { readonly kind: 'nothing' };

/** A request as Node has it. */
export interface RawRequest {
  /** Path and query. */
  readonly url: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

const parameterNames = ['domain', 'descriptor', 'hits', 'deny'] as const;
type Fields = ReturnType<typeof fieldsByName>;
type Parameters = Readonly<Record<(typeof parameterNames)[number], readonly string[]>>;

/** Domain and descriptors as written, and how they are decoded. */
interface Asked {
  readonly domains: readonly string[];
  readonly descriptors: readonly string[];
  readonly decode: Decode;
}

/** Reads what is asked from the query, or from headers where the query names neither domain nor descriptor. */
export function readCheck({ url, rawHeaders }: RawRequest): Check | Failure {
  const parameters = readQuery(url);
  if ('kind' in parameters) return parameters;
  const fields = fieldsByName(rawHeaders);
  const asked = askedBy(parameters, fields);
  for (const [name, { length }] of [
    ['the domain', asked.domains],
    ['hits', parameters.hits],
    ['deny', parameters.deny],
  ] as const) {
    if (length > 1) return invalidArgument(`${name} may be given once`);
  }
  const hitsAddend = numberIn(parameters.hits[0] ?? '0', { min: 0, max: maxUint32 });
  if (hitsAddend === undefined) return invalidArgument(`hits must be a whole number from 0 to ${maxUint32}`);
  const denyStatus = numberIn(parameters.deny[0] ?? '429', { min: 400, max: 599 });
  if (denyStatus === undefined) return invalidArgument('deny must be a status from 400 to 599');
  const descriptors = readDescriptors(asked, fields);
  if ('kind' in descriptors) return descriptors;
  const domain = asked.decode(asked.domains[0] ?? '');
  const isNothing = descriptors.length === 0 && asked.descriptors.length > 0 && domain !== '';
  return isNothing
    ? { kind: 'nothing' }
    : { kind: 'check', request: { domain, descriptors, hitsAddend }, denyStatus };
}

/** A parameter that does not exist is an error, so that a slip of the pen does not pass as "no limit". */
function readQuery(url: string): Parameters | Failure {
  const found = { domain: [], descriptor: [], hits: [], deny: [] } as Record<keyof Parameters, string[]>;
  const start = url.indexOf('?') + 1;
  for (const part of start === 0 ? [] : url.slice(start).split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = parameterNames.find((known) => known === (at < 0 ? part : part.slice(0, at)));
    if (name === undefined)
      return invalidArgument(`the query may have ${parameterNames.join(', ')}, and no other`);
    found[name].push(at < 0 ? '' : part.slice(at + 1));
  }
  return found;
}

/** Never from both: what a client adds to its request must not add to what a gateway asks. */
function askedBy({ domain, descriptor }: Parameters, fields: Fields): Asked {
  if (domain.length > 0 || descriptor.length > 0) {
    return { domains: domain, descriptors: descriptor, decode: formDecoded };
  }
  return {
    domains: fields.get('x-ratelimit-domain') ?? [],
    descriptors: fields.get('x-ratelimit-descriptor') ?? [],
    decode: percentDecoded,
  };
}

/** Without those that name a header which did not come, as an action of Envoy that finds nothing leaves its descriptor out. */
function readDescriptors({ descriptors, decode }: Asked, fields: Fields): readonly Descriptor[] | Failure {
  const read: Descriptor[] = [];
  for (const [index, text] of descriptors.entries()) {
    const written = parseWrittenDescriptor(text, decode);
    if (typeof written === 'string') return invalidArgument(`descriptor ${index}: ${written}`);
    const entries = written.map((entry) => entryOf(entry, fields));
    if (!entries.every((entry) => entry !== undefined)) continue;
    read.push({ entries, limit: undefined, hitsAddend: undefined, isNegativeHits: false });
  }
  return read;
}

function entryOf(written: WrittenEntry, fields: Fields): Entry | undefined {
  if ('value' in written) return written;
  const value = fields.get(written.header)?.[0];
  return value === undefined ? undefined : { key: written.key, value };
}

function numberIn(text: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
