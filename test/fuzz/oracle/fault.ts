/** Something that must never be, whatever a client sends. */
export class Fault extends Error {
  /** Which rule was broken: the same for equal faults, so that shrinking keeps to the one that was found. */
  readonly rule: string;

  constructor(rule: string, detail = '') {
    super(detail === '' ? rule : `${rule}: ${detail}`);
    this.name = 'Fault';
    this.rule = rule;
  }
}

/** The rule that an error broke; what is thrown by the code under test breaks the first of all. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const where = /\((?:file:\/\/)?[^)]*\/(src\/[^)]+)\)/.exec(stack ?? '')?.[1] ?? '';
  return new Fault(`nothing throws (${name} ${message.slice(0, 80)} ${where})`, stack);
}
