/**
 * What a template of a denial's body can name: the limit's number, what remains, the length of the window and the time
 * to wait in seconds, and the rule's name. `limiter/denial-body.ts` puts the values in.
 */
export const denialBodyPlaceholders = ['limit', 'remaining', 'window', 'retry_after', 'name'] as const;

/** The first `{word}` of a template that names nothing. Other braces, as of JSON, are text. */
export function unknownPlaceholder(template: string): string | undefined {
  const known: ReadonlySet<string> = new Set(denialBodyPlaceholders);
  return [...template.matchAll(/\{([a-z_]+)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !known.has(name));
}
