/** The option of commands that read rules. */
export const mergeDomainsOption = [
  '--merge-domains',
  'several files may share a domain (or MERGE_DOMAIN_CONFIG=true)',
] as const;
