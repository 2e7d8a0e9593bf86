import type { ToolName } from '../support/tools.ts';
import type { Figures } from './figures.ts';
import type { Ledger } from './ledger.ts';

/** A situation that broke a real service, made again with real processes. */
export interface Fault {
  /** Of the list of reported situations, such as F01. */
  readonly id: string;
  /** What happens, as a row of the table says it. */
  readonly title: string;
  readonly tools: readonly ToolName[];
  /** Makes it, and tells what came of it. Ends everything that it started. */
  run(): Promise<FaultReport>;
}

export interface FaultReport {
  /** What must hold and did not, each a sentence; empty when all is well. No time is among it. */
  readonly broken: readonly string[];
  /** What is to be known besides the figures. */
  readonly note: string;
  readonly before?: Figures;
  readonly during?: Figures;
  readonly after?: Figures;
  /** Resident memory of the service before, at most during, and after, in MiB. */
  readonly rss?: readonly [number, number, number];
  /** From the fault to the line of the log that says that limits are not enforced. */
  readonly saidSeconds?: number | undefined;
  readonly recoverySeconds?: number | undefined;
  readonly ledger?: Ledger;
}

/** Collects what does not hold. */
export function expectations(): { readonly broken: string[]; hold(isTrue: boolean, sentence: string): void } {
  const broken: string[] = [];
  return {
    broken,
    hold: (isTrue, sentence) => {
      if (!isTrue) broken.push(sentence);
    },
  };
}
