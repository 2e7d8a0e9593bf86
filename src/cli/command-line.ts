import { Command, CommanderError, Option } from 'commander';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { processOutput } from './output.ts';

const exitStatusHelp = `
Exit status: 0 yes (served, nothing refused, a rule found, allowed), 1 no, 2 could not be done.`;

/** Runs one command and gives its exit status; see `exit-codes.ts`. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext = { env: process.env, output: processOutput },
): Promise<number> {
  let status: number = exitCodes.ok;
  const program = describeCommands(context, (code) => {
    status = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.broken;
  }
  return status;
}

/** Each command's code is loaded when it runs: `weir health` is asked every few seconds. */
function describeCommands(context: CommandContext, done: (status: number) => void): Command {
  const program = new Command('weir')
    .description('Rate-limit decisions for Envoy, Istio and Envoy Gateway.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.output.out(text.trimEnd()),
      writeErr: (text) => context.output.err(text.trimEnd()),
    })
    .addHelpText('after', exitStatusHelp)
    .showHelpAfterError('Run "weir --help", or "weir COMMAND --help", for what there is.');

  program
    .command('serve')
    .description('Serve decisions. Settings come from environment variables; docs/settings.md lists them.')
    .action(async () => done(await (await import('./serve.ts')).serve(context)));

  program
    .command('check')
    .description('Read a directory of rules as the server would, and report all that is wrong with it.')
    .argument('<path>', 'a directory of YAML files, or one file')
    .option('--strict', 'also fail on what the server accepts and ignores')
    .option('--merge-domains', 'several files may share a domain (or MERGE_DOMAIN_CONFIG=true)')
    .action(async (path: string, options: { strict?: true; mergeDomains?: true }) =>
      done(
        await (await import('./check.ts')).check(
          path,
          { strict: options.strict === true, mergeDomains: options.mergeDomains },
          context,
        ),
      ),
    );

  program
    .command('explain')
    .description(
      'Show the way of descriptors through the rules: what was tried, and why it did or did not match.',
    )
    .argument('<descriptor...>', descriptorHelp)
    .requiredOption('-d, --domain <domain>', 'the domain of the request')
    .option('-c, --config <path>', 'a directory of rules, or one file (default: where serve would read)')
    .option('--merge-domains', 'several files may share a domain (or MERGE_DOMAIN_CONFIG=true)')
    .action(
      async (descriptors: string[], options: { domain: string; config?: string; mergeDomains?: true }) =>
        done(await (await import('./explain.ts')).explain(descriptors, options, context)),
    );

  program
    .command('call')
    .description('Ask a running service for a decision, as Envoy does. It counts.')
    .argument('<descriptor...>', descriptorHelp)
    .requiredOption('-d, --domain <domain>', 'the domain of the request')
    .option('-t, --target <address>', 'host:port, or unix:/path/to/socket', 'localhost:8081')
    .option('--hits <number>', 'hits_addend of the request (0 means 1)', '0')
    .option('--timeout <milliseconds>', 'how long to wait for the answer', '1000')
    .option('--tls', 'speak TLS')
    .option('--ca <file>', 'with --tls: trust this authority, in PEM')
    .option('--cert <file>', 'with --tls: certificate of the client, in PEM')
    .option('--key <file>', 'with --tls: key of that certificate, in PEM')
    .addOption(
      new Option('--output <form>', 'text for people, json for programs')
        .choices(['text', 'json'])
        .default('text'),
    )
    .action(async (descriptors: string[], options) =>
      done(await (await import('./call.ts')).call(descriptors, options, context)),
    );

  program
    .command('health')
    .description('Ask the service on this machine whether it is ready (for containers without a shell).')
    .action(async () => done(await (await import('./health.ts')).health(context)));

  return program;
}

const descriptorHelp = 'key=value[,key=value...]; a comma in a value is written \\,';
