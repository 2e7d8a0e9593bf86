import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { grpcMessage } from '../support/http2-frames.ts';

/** What test/wire/README.md says of a recording. */
interface RecordingJson {
  readonly protocol: 'h2' | 'http/1';
  readonly bytes: number;
  readonly segments: readonly number[];
  readonly text?: string;
  readonly preface_at: number;
  readonly connection: {
    readonly settings: readonly (readonly (readonly [name: string, value: number])[])[];
    readonly settings_acks?: number;
    readonly window_updates?: readonly number[];
    readonly pings?: readonly { readonly ack: boolean; readonly data: string }[];
    readonly goaways?: readonly { readonly code: string; readonly debug: string }[];
    readonly priority_frames?: readonly { readonly stream: number }[];
  };
  readonly streams: readonly WireStream[];
  readonly frames: readonly {
    readonly at: number;
    readonly type: string;
    readonly flags: number;
    readonly stream: number;
    readonly length: number;
  }[];
}

export interface WireStream {
  readonly id: number;
  readonly headers: readonly (readonly [name: string, value: string, ...flags: string[]])[];
  readonly trailers?: readonly (readonly [name: string, value: string, ...flags: string[]])[];
  readonly messages?: readonly { readonly compressed: number; readonly hex: string }[];
  readonly rest_hex?: string;
  readonly window_updates?: readonly number[];
  /** The frame with END_STREAM. */
  readonly end?: 'HEADERS' | 'DATA';
  readonly rst?: string;
}

/** The octets of one connection of a client, and the truth about them. */
export interface Recording extends RecordingJson {
  readonly name: string;
  readonly octets: Buffer;
}

const folder = new URL('../wire/', import.meta.url);

export const recordings: readonly Recording[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const name = file.slice(0, -'.json'.length);
    const json = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordingJson;
    return { name, octets: readFileSync(new URL(`${name}.bin`, folder)), ...json };
  });

/** The octets as they came in the recording. */
export function inSegments({ octets, segments }: Recording): Buffer[] {
  let at = 0;
  return segments.map((length) => {
    at += length;
    return octets.subarray(at - length, at);
  });
}

export function inOctets(octets: Buffer): Buffer[] {
  return Array.from(octets, (_, at) => octets.subarray(at, at + 1));
}

/** All offsets; of a large recording those near its ends, and some between, the same in each run. */
export function cutsOf(octets: Buffer): number[] {
  const all = Array.from({ length: octets.length + 1 }, (_, at) => at);
  if (octets.length <= 15_000) return all;
  const edge = 2_048;
  let random = 1;
  const between = Array.from({ length: 500 }, () => {
    // A linear congruential generator: Numerical Recipes, 7.1.
    random = (1_664_525 * random + 1_013_904_223) % 2 ** 32;
    return edge + (random % (octets.length - 2 * edge));
  });
  return [...all.slice(0, edge), ...between, ...all.slice(-edge)];
}

/** The value of a field as the transport has it: one character per octet. */
export function fieldOf({ headers }: WireStream, name: string): string {
  const [, value = ''] = headers.find(([each]) => each === name) ?? [];
  return Buffer.from(value).toString('latin1');
}

/** RFC 9113, section 6.5.2. */
export function listOctets({ headers }: WireStream): number {
  return headers.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value) + 32, 0);
}

/** All octets of DATA. */
export function contentOf({ messages = [], rest_hex = '' }: WireStream): Buffer {
  const whole = messages.map(({ compressed, hex }) => grpcMessage(Buffer.from(hex, 'hex'), compressed));
  return Buffer.concat([...whole, Buffer.from(rest_hex, 'hex')]);
}

/** The messages as handlers should get them, as latin1. */
export function plainMessages(stream: WireStream): string[] {
  return (stream.messages ?? []).map(({ compressed, hex }) => {
    const octets = Buffer.from(hex, 'hex');
    return (compressed === 1 ? gunzipSync(octets) : octets).toString('latin1');
  });
}

/** In ms; undefined where there is none. */
export function timeoutOf(stream: WireStream): number | undefined {
  const value = fieldOf(stream, 'grpc-timeout');
  const perMs = { H: 1 / 3_600_000, M: 1 / 60_000, S: 1 / 1_000, m: 1, u: 1_000, n: 1_000_000 };
  const unit = value.at(-1) as keyof typeof perMs | undefined;
  return unit === undefined ? undefined : Number.parseInt(value, 10) / perMs[unit];
}
