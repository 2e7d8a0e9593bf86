import { type HttpAnswer, unexpectedStatus } from '../remote/http-get.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';

/** Where the SHA-256 of a file is said, which has to be right. */
export type Checksum =
  | { readonly kind: 'none' }
  /** In a header of the answer, in lower case. */
  | { readonly kind: 'header'; readonly name: string }
  /** In a file beside it, as `sha256sum` writes it: what the path ends in more. */
  | { readonly kind: 'suffix'; readonly suffix: string };

/** The digest that is said of an answer, in hexadecimal; undefined where none is asked for. Throws where it is missing. */
export async function statedDigest(
  checksum: Checksum,
  answer: HttpAnswer,
  get: (url: URL) => Promise<HttpAnswer>,
  url: URL,
): Promise<string | undefined> {
  if (checksum.kind === 'none') return undefined;
  if (checksum.kind === 'header') {
    const value = answer.headers[checksum.name];
    return digestIn(String(value ?? ''), `the header ${checksum.name}`);
  }
  const side = new URL(url);
  side.pathname += checksum.suffix;
  const beside = await get(side);
  if (beside.status !== 200) {
    throw new SourceUnavailable(`its checksum file: ${unexpectedStatus(beside.status).message}`);
  }
  return digestIn(new TextDecoder().decode(beside.body.subarray(0, maxLine)), 'its checksum file');
}

/** A digest and a name. */
const maxLine = 4_096;

/**
 * In hexadecimal, as in `sha256sum`'s lines, or in base64, as object stores give it (`x-amz-checksum-sha256`), also as a
 * dictionary of RFC 9530 (`repr-digest: sha-256=:...:`).
 */
function digestIn(text: string, where: string): string {
  const hexadecimal = /(?:^|[^0-9a-f])([0-9a-f]{64})(?![0-9a-f])/i.exec(text)?.[1];
  if (hexadecimal !== undefined) return hexadecimal.toLowerCase();
  const base64 = /(?:^|sha-256=:)([\w+/]{43}=)/.exec(text.trim())?.[1];
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex');
  throw new SourceUnavailable(`${where} has no SHA-256`);
}
