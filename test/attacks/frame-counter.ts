import { errorCodes, types } from '../support/http2-frames.ts';

/** What the service told a client in its last GOAWAY. */
export interface Goaway {
  readonly code: string;
  readonly debug: string;
}

type Counts = Readonly<Record<string, number>>;

/** What came of a hostile connection. */
export interface Seen {
  readonly octetsSent: number;
  readonly goaway: Goaway | undefined;
  /** Frames that came, by type. */
  readonly received: Counts;
  /** RST_STREAM that came, by the name of the code. */
  readonly resets: Counts;
  /** `grpc-status` of responses, by number. */
  readonly statuses: Counts;
}

const names = new Map<number, string>(Object.entries(types).map(([name, number]) => [number, name]));

const statusField = Buffer.from('grpc-status');

/** Reads frames that are cut anywhere, and keeps none of them: a flood may be answered by a million. */
export class FrameCounter {
  readonly received: Record<string, number> = {};
  goaway: Goaway | undefined;
  /** That have come to their end. */
  responses = 0;
  readonly #resets: Record<string, number> = {};
  readonly #statuses: Record<string, number> = {};
  #rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const octets = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (octets.length - at >= 9) {
      const end = at + 9 + octets.readUIntBE(at, 3);
      if (end > octets.length) break;
      this.#frame(octets[at + 3] as number, octets.subarray(at + 9, end));
      at = end;
    }
    this.#rest = Buffer.from(octets.subarray(at));
  }

  seen(octetsSent: number): Seen {
    const { goaway, received } = this;
    return { octetsSent, goaway, received, resets: this.#resets, statuses: this.#statuses };
  }

  #frame(number: number, payload: Buffer): void {
    const type = names.get(number) ?? `type ${number}`;
    count(this.received, type);
    if (type === 'RST_STREAM') count(this.#resets, codeAt(payload, 0));
    else if (type === 'GOAWAY') {
      this.goaway = { code: codeAt(payload, 4), debug: payload.toString('latin1', 8) };
    } else if (type === 'HEADERS') {
      // Responses have literals without Huffman code: the name, the value's length, the value.
      const at = payload.indexOf(statusField) + statusField.length;
      if (at >= statusField.length) {
        this.responses += 1;
        count(this.#statuses, payload.toString('latin1', at + 1, at + 1 + (payload[at] as number)));
      }
    }
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function codeAt(payload: Buffer, at: number): string {
  const code = payload.readUInt32BE(at);
  return errorCodes[code] ?? String(code);
}
