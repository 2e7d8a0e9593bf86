import { type Command, Option } from 'commander';
import { boolArgument } from './bool-argument.ts';
import type { CommandContext } from './command-context.ts';
import { mergeDomainsOption } from './merge-domains-option.ts';
import { numberArgument } from './number-argument.ts';
import { ratioArgument } from './ratio-argument.ts';
import { reportForms } from './report-forms.ts';

/** Adds `weir simulate` to the program; its code is loaded when it runs. */
export function addSimulate(program: Command, context: CommandContext, done: (status: number) => void): void {
  program
    .command('simulate')
    .description(
      'Replay a log of requests against rules, in its own time: what each rule would have allowed and denied, and whom. ' +
        'docs/simulate.md has the forms of logs, mappings and reports.',
    )
    .option('-c, --config <path>', 'a directory of rules, or one file (default: where serve would read)')
    .option('--compare <path>', 'other rules, which decide the same requests')
    .option(...mergeDomainsOption)
    .option('-l, --log <file>', 'the log, packed by gzip or not; - is standard input', '-')
    .addOption(
      new Option('--format <form>', 'JSON lines; or an access log, read by a mapping')
        .choices(['jsonl', 'envoy'])
        .default('jsonl'),
    )
    .option('--mapping <file>', 'how lines of an access log become requests')
    .addOption(
      new Option('--output <form>', 'text for people; json for programs; html, one page with plots')
        .choices(reportForms)
        .default('text'),
    )
    .option('--out <file>', 'where the report goes (default: standard output)')
    .option('--count-denied <bool>', 'whether denied requests count (default: COUNT_DENIED)', boolArgument)
    .option('--quota-mode <bool>', 'whether every limit is a quota (default: QUOTA_MODE)', boolArgument)
    .option(
      '--near <ratio>',
      'from which part of a limit hits are near it (default: NEAR_LIMIT_RATIO)',
      ratioArgument,
    )
    .option('--top <number>', 'how many of the most denied are listed', numberArgument(0, 10_000), 10)
    .option('--max-counters <number>', 'counters held at once', numberArgument(1, 100_000_000), 1_000_000)
    .action(async (options) => done(await (await import('./simulate.ts')).simulate(options, context)));
}
