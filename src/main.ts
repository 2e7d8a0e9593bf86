import { runCommand } from './cli/command-line.ts';
import { exitCodes } from './cli/exit-codes.ts';

/** Runs one command. The only place that ends the process. */
export async function main(args: readonly string[]): Promise<never> {
  try {
    process.exit(await runCommand(args));
  } catch (error) {
    process.stderr.write(
      `weir: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(exitCodes.broken);
  }
}
