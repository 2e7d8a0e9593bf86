import type { SecretSource } from '../settings/secret.ts';
import { readFileOption } from './read-file-option.ts';

/** The token to send; undefined where there is none. @param file of `--token-file`, which goes before the environment */
export function readToken(file: string | undefined, source: SecretSource | undefined): string | undefined {
  if (file !== undefined) return readFileOption('--token-file', file).toString().trimEnd();
  if (source?.kind === 'file') return readFileOption('DEBUG_TOKEN_FILE', source.file).toString().trimEnd();
  return source?.text.reveal();
}
