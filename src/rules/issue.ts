/** How much an issue matters. */
export type IssueSeverity =
  | 'error' // what it is about is refused
  | 'ignored' // accepted as the reference does, and without effect; `weir check --strict` refuses it
  | 'lint'; // legal, and probably not what was meant

/** Something about a configuration that its author should know. */
export interface ConfigIssue {
  readonly severity: IssueSeverity;
  /** A stable name in kebab-case, such as `unknown-key`; docs/configuration.md lists them. */
  readonly code: string;
  /** As given to the loader, so that an editor can open it; or `resource 'name'`. */
  readonly file: string;
  /** From 1; 0 when the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** In a resource, which has no lines: see `Position`. */
  readonly path?: string;
  /** One sentence: what is wrong, and where it helps, what to write instead. */
  readonly message: string;
}
