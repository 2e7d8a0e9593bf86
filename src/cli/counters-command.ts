import { type Command, Option } from 'commander';
import { maxUint32 } from '../domain/limit.ts';
import type { CommandContext } from './command-context.ts';
import { limitArgument } from './limit-argument.ts';
import { numberArgument } from './number-argument.ts';

const operations = {
  get: 'Show the counters of descriptors.',
  reset: 'Set the counters of descriptors back, as if nobody had come.',
  grant: 'Give hits beyond what was used, until the window ends.',
} as const;

/** Adds `weir counters get|reset|grant` to the program; its code is loaded when it runs. */
export function addCounters(program: Command, context: CommandContext, done: (status: number) => void): void {
  const group = program
    .command('counters')
    .description(
      'Show the counters of a running service, and change them. docs/counters.md says what that does.',
    );
  for (const name of ['get', 'reset', 'grant'] as const) {
    const command = group
      .command(name)
      .description(operations[name])
      .argument('<descriptor...>', 'key=value[,key=value...]; a comma in a value is written \\,')
      .requiredOption('-d, --domain <domain>', 'the domain of the request')
      .option('-a, --address <url>', 'of the debug listener', 'http://127.0.0.1:6070')
      .option('--limit <limit>', 'the counter of a limit that requests bring: 5/minute', limitArgument);
    if (name === 'grant') {
      command.requiredOption('--hits <number>', 'how many are given', numberArgument(1, maxUint32));
    }
    addConnection(command);
    command.action(async (descriptors: string[], options) =>
      done(await (await import('./counters.ts')).counters(name, descriptors, options, context)),
    );
  }
}

function addConnection(command: Command): void {
  command
    .option('--token-file <file>', 'holds the token (default: DEBUG_TOKEN_FILE or DEBUG_TOKEN)')
    .option('--timeout <ms>', 'how long to wait for an answer', numberArgument(1, 3_600_000), 5_000)
    .option('--server-name <name>', "name in the server's certificate (default: the address's)")
    .option('--ca <file>', 'trust this authority, in PEM (default: those that Node knows)')
    .option('--cert <file>', 'certificate of the client, in PEM')
    .option('--key <file>', 'key of that certificate, in PEM')
    .addOption(
      new Option('--output <form>', 'text for people; json for programs, one object a line')
        .choices(['text', 'json'])
        .default('text'),
    );
}
