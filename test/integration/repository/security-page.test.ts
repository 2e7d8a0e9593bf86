import { describe, expect, it } from 'vitest';
import { httpLimits } from '../../../src/server/http/http-limits.ts';
import { variableNames, variableOf } from '../../../src/settings/variables.ts';
import { codeIn, readText, sectionOf, tableRows } from './repository.ts';

const page = readText('docs/security.md');

/** Words in the form of variables that are something else. */
const others = ['NODE_OPTIONS', 'CONNECT'];

describe('docs/security.md', () => {
  it('begins with the threat model, which says of everybody what closes the way', () => {
    expect(page.match(/^## .*$/m)?.[0]).toBe('## Threat model');
    const rows = tableRows(sectionOf(page, '## Threat model'));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row.filter((cell) => cell !== '')).toHaveLength(5);
  });

  it('names only variables that there are', () => {
    const named = codeIn(page).flatMap((code) => /^([A-Z][A-Z_]{3,})(=.*)?$/.exec(code)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(20);
    const known = [...variableNames, ...others];
    expect(named.filter((name) => !(known as string[]).includes(name))).toEqual([]);
  });

  it('has the limits of the HTTP listeners as they are', () => {
    const bounds = Object.fromEntries(
      tableRows(sectionOf(page, '## The HTTP listeners')).map(([what = '', bound]) => [what, bound]),
    );
    const seconds = (ms: number) => `${ms / 1_000} s`;
    expect(bounds).toMatchObject({
      'the line and fields of a request, and fields after its body': `${httpLimits.maxHeaderBytes / 1_024} KiB`,
      'fields of a request': String(httpLimits.maxHeaderFields),
      'time to the end of the fields, from the connection or the first octet of a request': seconds(
        httpLimits.headersTimeoutMs,
      ),
      'time to the end of the body, from the same moment': seconds(httpLimits.requestTimeoutMs),
      'requests that are sent before the answers to earlier ones': String(httpLimits.maxPipelined),
      'time from the fields of a request until its answer is taken, or from the answer before': seconds(
        httpLimits.answerTimeoutMs,
      ),
      'time without a request': seconds(httpLimits.keepAliveTimeoutMs),
      'a TLS handshake (debug)': seconds(httpLimits.handshakeTimeoutMs),
    });
    expect(Object.keys(bounds)).toHaveLength(11);
  });

  it('names every secret that a variable can hold', () => {
    const named = codeIn(sectionOf(page, '## Secrets'));
    const secret = variableNames.filter((name) => variableOf(name).secret);
    expect(secret.length).toBeGreaterThan(5);
    expect(secret.filter((name) => !named.includes(name))).toEqual([]);
  });
});
