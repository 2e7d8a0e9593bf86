/** A terminal, or something else that is written to. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** How far a replay is. */
export interface ProgressState {
  readonly octetsRead: number;
  /** undefined: not known. */
  readonly octets: number | undefined;
  readonly requests: number;
}

/** One line that is written over and over. */
export interface ProgressBar {
  /** Shows how far it is, some times a second at most. */
  show(state: ProgressState): void;
  /** Takes the line away. */
  clear(): void;
}

const intervalMs = 100;
const barWidth = 24;

/**
 * A progress bar for people: where nobody looks, in a file or a pipe, nothing is written.
 * @param now in ms, from any start
 */
export function createProgressBar(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): ProgressBar {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  const beganAt = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(state) {
      const at = now();
      if (at - shownAt < intervalMs) return;
      shownAt = at;
      isShown = true;
      stream.write(`\r${progressText(state, at - beganAt).slice(0, (stream.columns || 80) - 1)}\x1b[K`);
    },
    clear() {
      if (isShown) stream.write('\r\x1b[K');
    },
  };
}

function progressText({ octetsRead, octets, requests }: ProgressState, elapsedMs: number): string {
  const perSecond = elapsedMs > 0 ? Math.round((requests / elapsedMs) * 1_000) : 0;
  const rate = `${requests.toLocaleString('en')} requests, ${perSecond.toLocaleString('en')}/s`;
  if (octets === undefined) return `${(octetsRead / 1_048_576).toFixed(0)} MiB  ${rate}`;
  const part = Math.min(1, octetsRead / octets);
  const filled = Math.round(part * barWidth);
  const bar = '#'.repeat(filled).padEnd(barWidth, '.');
  return `[${bar}] ${String(Math.floor(part * 100)).padStart(3)} %  ${rate}`;
}
