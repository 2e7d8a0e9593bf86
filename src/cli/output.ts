/** Where a command writes, handed in so that tests can read it. */
export interface Output {
  /** Results. Each call writes one line. */
  out(line: string): void;
  /** What went wrong. */
  err(line: string): void;
}

export const processOutput: Output = Object.freeze({
  out: (line: string) => process.stdout.write(`${line}\n`),
  err: (line: string) => process.stderr.write(`${line}\n`),
});
