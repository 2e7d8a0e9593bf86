import { isUtf8 } from 'node:buffer';

/** The text of a file, or why it has none. Offsets of YAML nodes are offsets of this text. */
export type YamlText =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'fault';
      readonly code: string;
      readonly line: number;
      readonly column: number;
      readonly message: string;
    };

/** A rule takes about 100 octets, and a Kubernetes ConfigMap holds 1 MiB; reading takes some 150 times a file's size. */
export const maxFileBytes = 4 * 1024 * 1024;

/** What YAML 1.1 (5.1) does not count as printable. Surrogates are paired: the decoder has seen to that. */
const unprintable = /[^\t\n\r\x20-\x7e\x85\xa0-\ufefe\uff00-\ufffd]/;

/**
 * Decodes a file as YAML 1.1 (5.2) says: UTF-16 if a byte order mark says so, else UTF-8. The mark is cut off, and the
 * other line ends of YAML 1.1 (5.4), a lone CR and NEL, become LF.
 */
export function decodeYaml(content: Uint8Array): YamlText {
  if (content.length > maxFileBytes) {
    const message = `the file has ${content.length} bytes; at most ${maxFileBytes} are read`;
    return { kind: 'fault', code: 'file-too-large', line: 0, column: 0, message };
  }
  const decoded = decode(content);
  if (typeof decoded !== 'string') return decoded;
  const text = decoded.replace(/\r(?!\n)|\x85/g, '\n');
  const at = text.search(unprintable);
  if (at < 0) return { kind: 'text', text };
  const before = text.slice(0, at).split('\n');
  const code = (text.codePointAt(at) as number).toString(16).toUpperCase().padStart(4, '0');
  const message = `the character U+${code} is not allowed in YAML; write it as an escape in double quotes`;
  return {
    kind: 'fault',
    code: 'control-character',
    line: before.length,
    column: (before[before.length - 1] as string).length + 1,
    message,
  };
}

function decode(content: Uint8Array): string | YamlText {
  const encoding = encodingOf(content);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    const place = encoding === 'utf-8' ? firstInvalidUtf8(content) : { line: 0, column: 0 };
    const name = encoding.toUpperCase().slice(0, encoding === 'utf-8' ? 5 : 6);
    return { kind: 'fault', code: 'encoding', ...place, message: `the file is not valid ${name}` };
  }
}

function encodingOf(content: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function firstInvalidUtf8(content: Uint8Array): { line: number; column: number } {
  let start = 0;
  for (let line = 1; start < content.length; line++) {
    const end = content.indexOf(0x0a, start);
    const octets = content.subarray(start, end < 0 ? content.length : end);
    if (!isUtf8(octets)) {
      const column = new TextDecoder('utf-8').decode(octets).indexOf('\ufffd') + 1;
      return { line, column };
    }
    start += octets.length + 1;
  }
  return { line: 0, column: 0 };
}
