import { createHash } from 'node:crypto';

/**
 * The version of some files: the same for the same names and contents, wherever they are.
 * @param parts each name with a digest or version of its content, or with the code of what keeps it from being read; in one order
 */
export function contentsVersion(parts: Iterable<readonly [name: string, content: string]>): string {
  const hash = createHash('sha256');
  for (const [name, content] of parts) hash.update(`${name}\0${content}\n`);
  return hash.digest('hex').slice(0, 32);
}
