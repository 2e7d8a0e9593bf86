/** A whole number as people read it: `1,234,567`. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** A whole number with its sign: `+12`, `-3`, `0`. */
export function changeText(change: number): string {
  return `${change > 0 ? '+' : ''}${countText(change)}`;
}

/** A part of a whole: `12.3 %`; `-` where there is no whole. What is little is not nothing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '-';
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.05) return '<0.1 %';
  if (part < whole && percent >= 99.95) return '>99.9 %';
  return `${percent.toFixed(1)} %`;
}

/** A moment of a report, for people. */
export function momentText(time: string): string {
  return time.replace('T', ' ').replace('Z', ' UTC');
}

/** Seconds, in the largest unit that makes a whole number of them: `90 s`, `5 min`, `2 h`, `1 d`. */
export function durationText(seconds: number): string {
  const [length, unit] = durations.find(([length]) => seconds >= length && seconds % length === 0) ?? [
    1,
    's',
  ];
  return `${countText(seconds / length)} ${unit}`;
}

const durations = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** `1 line`, `2 lines`. */
export function plural(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`;
}
