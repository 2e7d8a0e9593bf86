import type { Position } from './rules-document.ts';

/** A place for a message about the same file or resource: `on line 5`, `at descriptors[3]`. */
export function placeWithin({ line, path }: Position): string {
  return path === undefined ? `on line ${line}` : `at ${path}`;
}

/** A place for a message about another one: `shop.yaml, line 5`, `resource 'shop', descriptors[3]`. */
export function placeName(file: string, { line, path }: Position): string {
  if (path === undefined) return `${file}, line ${line}`;
  return path === '' ? file : `${file}, ${path}`;
}
