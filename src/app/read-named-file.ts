import { readFileSync } from 'node:fs';

/** A file that a variable names. Throws, with a sentence that names both, when it cannot be read. */
export function readNamedFile(variable: string, file: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  try {
    return readFileSync(file, encoding);
  } catch (error) {
    throw new Error(`${variable}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Editors and `echo` end a file with a line end, and the same secret in a variable has none. */
export function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '');
}
