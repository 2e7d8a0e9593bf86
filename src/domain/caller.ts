/** Who asks, as far as it is proven. */
export interface Caller {
  /**
   * The names in the certificate that the caller has shown, as {@link comparableName} makes them; none without a
   * certificate that was verified. To be read only where they matter: a transport may have to find them out.
   */
  readonly provenNames: readonly string[];
}

/** A caller who shows no certificate. */
export const anonymous: Caller = Object.freeze({ provenNames: Object.freeze([]) });

/** A name as it is compared: a URI, which has a colon, as it is; a DNS name, which has none, in lower case. */
export function comparableName(name: string): string {
  return name.includes(':') ? name : name.toLowerCase();
}

/** Whether one of the caller's names is in the list. */
export function isAmong({ provenNames }: Caller, names: ReadonlySet<string>): boolean {
  for (const name of provenNames) if (names.has(name)) return true;
  return false;
}
