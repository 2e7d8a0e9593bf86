import { describe, expect, it } from 'vitest';
import type { DenialBody, Header } from '../domain/decision.ts';
import { responseHeadersOf } from './safe-headers.ts';

function headersOf(responseHeaders: readonly Header[], denialBody?: DenialBody): readonly Header[] {
  return responseHeadersOf({
    kind: 'decision',
    overallCode: 'OVER_LIMIT',
    statuses: [],
    described: undefined,
    responseHeaders,
    furtherHeaders: [],
    dynamicMetadata: undefined,
    denialBody,
  });
}

describe('headers for the response to a client', () => {
  it.each([
    ['X-RateLimit-Limit', '5, 5;w=60;name="per-ip"'],
    ['Retry-After', ''],
    ['x', 'é 漢'],
  ])('%s: %s goes out as it is', (name, value) => {
    expect(headersOf([{ name, value }])).toEqual([{ name, value }]);
  });

  it.each([
    ['a value with CR LF', 'x-limit', '5\r\nset-cookie: a=b'],
    ['a value with LF', 'x-limit', '5\nx'],
    ['a value with NUL', 'x-limit', '5\0'],
    ['a value with DEL', 'x-limit', '5\x7f'],
    ['a name with a space', 'x limit', '5'],
    ['a name with a colon, which Envoy takes for a pseudo header', ':status', '200'],
    ['a name with CR LF', 'x\r\ny', '5'],
    ['a name that is not ASCII', 'x-límit', '5'],
    ['no name', '', '5'],
  ])('%s is left out, the others stay', (_what, name, value) => {
    const good = { name: 'x-good', value: '1' };
    expect(headersOf([good, { name, value }, good])).toEqual([good, good]);
  });

  it('a denial body brings its content type, unless that would break a header', () => {
    expect(headersOf([], { contentType: 'text/html', text: '' })).toEqual([
      { name: 'content-type', value: 'text/html' },
    ]);
    expect(headersOf([], { contentType: 'text/html\r\nx: y', text: '' })).toEqual([]);
  });
});
