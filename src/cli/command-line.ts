import { Command, CommanderError, Option } from 'commander';
import { maxUint32 } from '../domain/limit.ts';
import type { CommandContext } from './command-context.ts';
import { addCounters } from './counters-command.ts';
import { exitCodes } from './exit-codes.ts';
import { mergeDomainsOption } from './merge-domains-option.ts';
import { numberArgument } from './number-argument.ts';
import { processOutput } from './output.ts';
import { addSimulate } from './simulate-command.ts';
import { readVersion } from './version.ts';

const exitStatusHelp = `
Exit status: 0 yes (served, nothing refused, a rule found, allowed, ready), 1 no, 2 could not be done.`;

/** Runs one command and gives its exit status; see `exit-codes.ts`. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext = { env: process.env, output: processOutput },
): Promise<number> {
  let status: number = exitCodes.ok;
  const program = createProgram(context);
  const done = (code: number) => {
    status = code;
  };
  addServe(program, context, done);
  addCheck(program, context, done);
  addExplain(program, context, done);
  addSimulate(program, context, done);
  addCall(program, context, done);
  addCounters(program, context, done);
  addHealth(program, context, done);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.broken;
  }
  return status;
}

function createProgram({ output }: CommandContext): Command {
  return new Command('weir')
    .description('Rate-limit decisions for Envoy, Istio and Envoy Gateway.')
    .version(readVersion(), '--version', 'say which version this is')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.err(text.trimEnd()),
    })
    .addHelpText('afterAll', exitStatusHelp)
    .showHelpAfterError('Run "weir --help", or "weir COMMAND --help", for what there is.');
}

// Each command's code is loaded when it runs: `weir health` is asked again and again.

type Add = (program: Command, context: CommandContext, done: (status: number) => void) => void;

const addServe: Add = (program, context, done) => {
  program
    .command('serve')
    .description('Serve decisions. Settings come from environment variables; docs/settings.md lists them.')
    .action(async () => done(await (await import('./serve.ts')).serve(context)));
};

const addCheck: Add = (program, context, done) => {
  program
    .command('check')
    .description('Read a directory of rules as the server would, and report all that is wrong with it.')
    .argument('<path>', 'a directory of YAML files, or one file')
    .option('--strict', 'also fail on what the server accepts and ignores')
    .option(...mergeDomainsOption)
    .action(async (path: string, options: { strict?: true; mergeDomains?: true }) => {
      const { check } = await import('./check.ts');
      done(
        await check(path, { strict: options.strict === true, mergeDomains: options.mergeDomains }, context),
      );
    });
};

const descriptorHelp = 'key=value[,key=value...]; a comma in a value is written \\,';

const addExplain: Add = (program, context, done) => {
  program
    .command('explain')
    .description(
      'Show the way of descriptors through the rules: what was tried, and why it did or did not match. ' +
        'Several descriptors are those of one request, so that rules replace each other.',
    )
    .argument('<descriptor...>', descriptorHelp)
    .requiredOption('-d, --domain <domain>', 'the domain of the request')
    .option('-c, --config <path>', 'a directory of rules, or one file (default: where serve would read)')
    .option(...mergeDomainsOption)
    .action(async (descriptors: string[], options) =>
      done(await (await import('./explain.ts')).explain(descriptors, options, context)),
    );
};

const addCall: Add = (program, context, done) => {
  program
    .command('call')
    .description('Ask a running service for a decision, as Envoy does. It counts.')
    .argument('<descriptor...>', descriptorHelp)
    .requiredOption('-d, --domain <domain>', 'the domain of the request')
    .option('-t, --target <address>', 'host:port, or unix:/path/to/socket', 'localhost:8081')
    .option('--hits <number>', 'hits_addend of the request (0 means 1)', numberArgument(0, maxUint32), 0)
    .option('--timeout <ms>', 'how long to wait for the answer', numberArgument(1, 3_600_000), 1_000)
    .option('--tls', 'speak TLS; each of the next four options implies it')
    .option('--server-name <name>', "name or IP address in the server's certificate (default: the target's)")
    .option('--ca <file>', 'trust this authority, in PEM (default: those that Node knows)')
    .option('--cert <file>', 'certificate of the client, in PEM')
    .option('--key <file>', 'key of that certificate, in PEM')
    .addOption(
      new Option('--output <form>', 'text for people; json for programs, in the form of /json')
        .choices(['text', 'json'])
        .default('text'),
    )
    .action(async (descriptors: string[], options) =>
      done(await (await import('./call.ts')).call(descriptors, options, context)),
    );
};

const addHealth: Add = (program, context, done) => {
  program
    .command('health')
    .description('Ask the service on this machine whether it is ready (for containers without a shell).')
    .action(async () => done(await (await import('./health.ts')).health(context)));
};
