/** RFC 3339, with a zone: without one it would not be known which moment is meant. */
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const decimal = /^\d{1,16}(?:\.\d+)?$/;

/** Numbers below are seconds (up to the year 5138), the others milliseconds (from 1973). */
const firstMilliseconds = 1e11;

/** 9999-12-31: what RFC 3339 can write. */
const lastTime = 253_402_300_799_999;

export const timeWanted =
  "the time must be RFC 3339 with a zone ('2026-11-02T10:00:00.250Z'), or seconds or milliseconds since 1970";

/**
 * Makes a reader of times as logs have them: RFC 3339 (Envoy's `%START_TIME%`), or seconds or milliseconds since the Unix
 * epoch, as a number or as text. It gives milliseconds since the epoch, rounded down; undefined for anything else.
 */
export function createTimeReader(): (value: unknown) => number | undefined {
  // Most lines are of the same second as the one before, and reading a date takes longer than the rest of its line.
  let second = '';
  let secondMs = 0;
  const ofText = (text: string): number | undefined => {
    if (second !== '' && text.startsWith(second) && hasMilliseconds(text)) {
      return secondMs + digitAt(text, 20) * 100 + digitAt(text, 21) * 10 + digitAt(text, 22);
    }
    if (decimal.test(text)) return ofNumber(Number(text));
    if (!rfc3339.test(text) || !isDay(text)) return undefined;
    const ms = within(Date.parse(text.replace(' ', 'T').toUpperCase()));
    if (ms === undefined || !hasMilliseconds(text)) return ms;
    second = text.slice(0, 20);
    secondMs = ms - (ms % 1_000);
    return ms;
  };
  return (value) =>
    typeof value === 'string' ? ofText(value) : typeof value === 'number' ? ofNumber(value) : undefined;
}

/** Whether there is such a day: dates are read as far as the 31st of each month, and then taken for one of the next. */
function isDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day <= 28) return true;
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day;
}

function ofNumber(value: number): number | undefined {
  // A thousandth more, since 1762077600.123 as a double is a little less than it says.
  return within(Math.floor(value < firstMilliseconds ? value * 1_000 + 1e-3 : value));
}

function within(ms: number): number | undefined {
  return ms >= 0 && ms <= lastTime ? ms : undefined;
}

/** `2026-11-02T10:00:00.250Z`, the form that Envoy writes. */
function hasMilliseconds(text: string): boolean {
  return (
    text.length === 24 &&
    text[23] === 'Z' &&
    text[19] === '.' &&
    isDigit(text, 20) &&
    isDigit(text, 21) &&
    isDigit(text, 22)
  );
}

function isDigit(text: string, at: number): boolean {
  const digit = digitAt(text, at);
  return digit >= 0 && digit <= 9;
}

function digitAt(text: string, at: number): number {
  return text.charCodeAt(at) - 0x30;
}
