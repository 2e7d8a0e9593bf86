import { readFileSync } from 'node:fs';

/** The content of a file that an option names. Throws with a sentence. */
export function readFileOption(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${option}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
