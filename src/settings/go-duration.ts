import { type Parsed, parsed, unreadable } from './parsed.ts';

/** Milliseconds of each unit of Go's time.ParseDuration. There are no days. Both micro signs are legal. */
const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const unit = '(ns|us|\u00b5s|\u03bcs|ms|s|m|h)';
const number = String.raw`\d+(?:\.\d*)?|\.\d+`;
const part = new RegExp(`(${number})${unit}`, 'g');
const whole = new RegExp(`^[+-]?(?:(?:${number})${unit})+$`);

/** Go holds a duration in 64 bits of nanoseconds, which is about 292 years. */
const maxMs = 2 ** 63 / 1e6;

/** A duration in ms as Go's time.ParseDuration reads it: `1h30m`, `250ms`, `1.5s`, `-3s` and `0`, but not `10` or `1d`. */
export function parseGoDuration(text: string): Parsed<number> {
  const expected = 'a duration such as 250ms, 10s or 1h30m';
  if (/^[+-]?0$/.test(text)) return parsed(0);
  if (!whole.test(text)) return unreadable(expected);
  let ms = 0;
  for (const [, amount, name = ''] of text.matchAll(part)) ms += Number(amount) * (unitMs[name] as number);
  if (ms >= maxMs) return unreadable(expected);
  // Go counts whole nanoseconds; this takes away what binary fractions added.
  ms = Math.round(ms * 1e6) / 1e6;
  return parsed(text.startsWith('-') && ms > 0 ? -ms : ms);
}

/** The shortest text that {@link parseGoDuration} reads as this many ms: `5m`, `1h30m`, `250ms`, `0`. */
export function formatGoDuration(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 1_000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = (ms % 60_000) / 1_000;
  return [hours && `${hours}h`, minutes && `${minutes}m`, seconds && `${seconds}s`].filter(Boolean).join('');
}
