import { staticTable } from '../../src/transport/hpack/static-table.ts';
import { errorCodes, type Frame, flags } from './http2-frames.ts';

/** As RFC 9113, section 7, calls it. */
export function errorName(code: number): string {
  return errorCodes[code] ?? `error ${code}`;
}

/** One line for a frame that a server sends: `RST_STREAM 1 CANCEL`, `DATA 1 8 octets, end`. */
export function frameInWords({ type, flags: bits, stream, payload }: Frame): string {
  const end = (bits & flags.END_STREAM) !== 0 ? ', end' : '';
  const ack = (bits & flags.ACK) !== 0 ? ' ack' : '';
  switch (type) {
    case 'SETTINGS':
      return `SETTINGS${ack}${settingsInWords(payload)}`;
    case 'PING':
      return `PING${ack} ${payload.toString('latin1')}`;
    case 'GOAWAY': {
      const debug = payload.toString('latin1', 8);
      return `GOAWAY ${payload.readUInt32BE()} ${errorName(payload.readUInt32BE(4))} ${debug}`.trimEnd();
    }
    case 'RST_STREAM':
      return `RST_STREAM ${stream} ${errorName(payload.readUInt32BE())}`;
    case 'WINDOW_UPDATE':
      return `WINDOW_UPDATE ${stream} +${payload.readUInt32BE()}`;
    case 'DATA':
      return `DATA ${stream} ${payload.length} octets${end}`;
    case 'HEADERS': {
      const fields = Object.entries(fieldsOf(payload)).map(([name, value]) => `${name}=${value}`);
      return `HEADERS ${stream} ${fields.join(' ')}${end}`;
    }
    default:
      return `${type} ${stream}`;
  }
}

function settingsInWords(payload: Buffer): string {
  let words = '';
  for (let at = 0; at < payload.length; at += 6) {
    words += ` ${payload.readUInt16BE(at)}=${payload.readUInt32BE(at + 2)}`;
  }
  return words;
}

/**
 * The fields of a response's header block, which must need no state: indices of the static table, and literals that are
 * neither indexed nor compressed. A table size update at the start is shown as `table-size`.
 */
export function fieldsOf(octets: Buffer): Record<string, string> {
  const fields: Record<string, string> = {};
  let at = 0;
  const integer = (mask: number): number => {
    let value = (octets[at++] as number) & mask;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      const octet = octets[at++] as number;
      value += (octet & 0x7f) << shift;
      if (octet < 0x80) return value;
    }
  };
  const nameAt = (index: number): readonly [string, string] => {
    const field = staticTable[index - 1];
    if (field === undefined) throw new Error(`a response refers to entry ${index}`);
    return field;
  };
  const text = (): string => {
    if ((octets[at] as number) >= 0x80) throw new Error('a response has Huffman code');
    const length = integer(0x7f);
    at += length;
    return octets.toString('latin1', at - length, at);
  };
  while (at < octets.length) {
    const form = octets[at] as number;
    if (form >= 0x80) {
      const [name, value] = nameAt(integer(0x7f));
      fields[name] = value;
    } else if (form < 0x20) {
      const index = integer(0x0f);
      const name = index === 0 ? text() : nameAt(index)[0];
      fields[name] = text();
    } else if (form < 0x40 && at === 0) fields['table-size'] = String(integer(0x1f));
    else throw new Error('a response changes the table');
  }
  return fields;
}
