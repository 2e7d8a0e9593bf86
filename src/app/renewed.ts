import type { Logger } from '../log.ts';

/**
 * Something that is read from files again each time it is asked for: whoever changes a certificate or a password changes the
 * file, and the next connection has to know. What can't be read then is told, and what was last read counts. Throws, with
 * the reader's sentence, when it can't be read the first time.
 * @param whose for the log
 */
export function renewed<T>(read: (last: T | undefined) => T, whose: string, log: Logger): () => T {
  let last = read(undefined);
  return () => {
    try {
      last = read(last);
    } catch (error) {
      log.error({ reason: (error as Error).message }, `credentials of ${whose} cannot be read again`);
    }
    return last;
  };
}
