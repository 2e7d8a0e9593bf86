const windowForm = /^([1-9][0-9]{0,8})([smhd])$/;
const secondsOf: Readonly<Record<string, number>> = Object.freeze({ s: 1, m: 60, h: 3_600, d: 86_400 });

/** A leap year. Longer windows are almost always a mistake, and a counter would live on for years. */
export const maxWindowSeconds = 366 * 86_400;

/** `10s`, `5m`, `24h`, `7d`: the seconds, or a sentence about what is wrong. */
export function parseWindow(text: string): number | string {
  const match = windowForm.exec(text);
  if (match === null)
    return "'window' is a whole number from 1 and one of s, m, h, d, such as 10s, 5m, 24h or 7d";
  const seconds = Number(match[1]) * (secondsOf[match[2] as string] as number);
  if (seconds > maxWindowSeconds) return `'window' is at most ${maxWindowSeconds / 86_400}d`;
  return seconds;
}
