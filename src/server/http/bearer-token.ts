import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { isToken, tokenSyntax } from './token-syntax.ts';

/** Says whether a text is the token. */
export type TokenCheck = (text: string) => Promise<boolean>;

/** A token that stays as it is. */
export function createTokenCheck(token: string): TokenCheck {
  const expected = digestOf(token);
  return async (text) => timingSafeEqual(digestOf(text), expected);
}

/** A file that is looked at no more often than this; then by the next request. */
const lookIntervalMs = 2_000;

export interface TokenFileOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The token that is the content of a file, the newline at its end left out. Another content counts within two seconds. Other
 * than with certificates, what was there before does not stay in force when there is none: whoever removes a token wants it
 * to be of no use. Rejects when there is none at the start.
 */
export async function createTokenFileCheck({ file, clock, log }: TokenFileOptions): Promise<TokenCheck> {
  let expected: Buffer | undefined = await readDigest(file);
  let lookedAt = clock.monotonic();
  let looking = Promise.resolve();
  let complaint = '';

  async function look(): Promise<void> {
    try {
      const found = await readDigest(file);
      if (expected?.equals(found) !== true) log.info({ file }, 'the token was read again');
      expected = found;
      complaint = '';
    } catch (err) {
      expected = undefined;
      const reason = err instanceof Error ? err.message : String(err);
      if (reason !== complaint) log.error({ reason }, 'there is no token, so that nobody is let in');
      complaint = reason;
    }
  }

  return async (text) => {
    if (clock.monotonic() - lookedAt >= lookIntervalMs) {
      lookedAt = clock.monotonic();
      looking = look();
    }
    await looking;
    return expected !== undefined && timingSafeEqual(digestOf(text), expected);
  };
}

async function readDigest(file: string): Promise<Buffer> {
  const text = (await readFile(file, 'utf8')).trimEnd();
  if (!isToken(text)) throw new Error(`${file} holds no token: ${tokenSyntax}`);
  return digestOf(text);
}

/** Digests are of one length, so that comparing them takes the same time whatever is compared. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
