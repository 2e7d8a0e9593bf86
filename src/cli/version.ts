import { readFileSync } from 'node:fs';

/** The version of package.json, which lies above `src` in a checkout and above `dist` in the image. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
