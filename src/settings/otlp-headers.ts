import { type Parsed, parsed, unreadable } from './parsed.ts';
import { headerName } from './value-type.ts';

/**
 * Headers as OpenTelemetry's exporters read them (specification of OTLP exporters, "Specifying headers"): a list as of W3C
 * Baggage, `name=value,name=value`, whose values are percent-encoded. Names and values never show in what it answers when
 * the text is no such list.
 */
export function parseOtlpHeaders(text: string): Parsed<readonly (readonly [name: string, value: string])[]> {
  const expected = 'pairs such as name=value,name=value, percent-encoded';
  const headers: [string, string][] = [];
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim().toLowerCase();
    const value = decoded(pair.slice(equals + 1).trim());
    if (equals < 1 || !headerName.parse(name).ok || value === undefined) return unreadable(expected);
    headers.push([name, value]);
  }
  return parsed(headers);
}

/** undefined for what is no text of a header. */
function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return /^[\t -~]*$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
