import { describe, expect, it } from 'vitest';
import { htmlReport } from './html-report.ts';
import { html } from './markup.ts';
import type { ConfigurationReport, RuleReport, SimulationReport } from './report.ts';

const hostile = `<script>alert("1")</script>&'`;
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';

const timeline = { start: '2026-11-02T10:00:00Z', bucketSeconds: 60, allowed: [5, 0, 7], denied: [0, 2, 3] };

const rule: RuleReport = {
  rule: hostile,
  domain: hostile,
  limit: hostile,
  file: hostile,
  line: 1,
  allowed: 12,
  denied: 5,
  overPassed: 0,
  hits: 17,
  nearLimitHits: 3,
  overLimitHits: 5,
  nearLimitShare: 3 / 17,
  fullestCounter: 1,
  peak: { at: '2026-11-02T10:02:00Z', perSecond: 4 },
  timeline,
};

const subjects = { uncertainty: 2, first: [{ rule: hostile, descriptor: hostile, denied: 5 }] };

const configuration: ConfigurationReport = {
  path: hostile,
  allowed: 12,
  denied: 5,
  failed: 1,
  failures: { INVALID_ARGUMENT: 1 },
  descriptors: {
    rule: 17,
    override: 0,
    unlimited: 0,
    replaced: 0,
    exempt: 0,
    withoutRule: 1,
    unknownDomain: 1,
  },
  evictedCounters: 3,
  peak: null,
  timeline,
  rules: [rule, { ...rule, allowed: 0, denied: 0 }],
  overrides: rule,
  mostDenied: subjects,
};

const report: SimulationReport = {
  version: 1,
  log: {
    from: '2026-11-02T10:00:00Z',
    to: '2026-11-02T10:02:30Z',
    lines: 20,
    requests: 18,
    linesWithoutRequest: 1,
    badLines: 1,
    firstBadLines: [{ line: 7, message: hostile }],
    lateRequests: 1,
    mostSecondsLate: 3,
  },
  settings: { countDenied: true, quotaMode: false, nearLimitRatio: 0.8 },
  configurations: [configuration, { ...configuration, timeline: { ...timeline, denied: [1, 1, 1] } }],
  comparison: {
    newlyDenied: 2,
    newlyAllowed: 1,
    mostNewlyDenied: subjects,
    rules: [
      { rule: hostile, a: { ...rule, limit: hostile }, b: null, allowedChange: -12, deniedChange: -5 },
      { rule: 'r', a: null, b: { limit: hostile, allowed: 1, denied: 2 }, allowedChange: 1, deniedChange: 2 },
    ],
  },
};
const page = htmlReport(report);

/** The names of elements that are opened and not closed, and the other way round. */
function unclosed(text: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, slash, name = '', rest = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g)) {
    if (slash === '' && !rest.endsWith('/') && !['meta', 'br'].includes(name)) open.push(name);
    if (slash === '/' && open.pop() !== name) faults.push(name);
  }
  return [...open, ...faults];
}

describe('htmlReport()', () => {
  it('has every text escaped, whatever a log or a configuration holds', () => {
    expect(page.split(escaped).length - 1).toBeGreaterThan(15);
    expect(page).not.toMatch(/<script|alert\("/);
  });

  it('needs nothing from elsewhere, and forbids it', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/(?:src|href)=|https?:|url\(|@import/);
  });

  it('closes what it opens', () => {
    expect(unclosed(page)).toEqual([]);
  });

  it('has a plot for the comparison, for each configuration, and for each rule that was met', () => {
    expect(page.match(/<svg /g)).toHaveLength(1 + 2 * 2);
    expect(page.match(/aria-label="Denied by A and by B over time"/g)).toHaveLength(1);
    expect(page.match(/Met by no request: 1 rule\./g)).toHaveLength(2);
  });

  it('draws allowed and denied as high as they are', () => {
    const [, allowed = '', denied = ''] =
      /<path class="allowed" d="([^"]*)"\/><path class="denied" d="([^"]*)"\/>/.exec(page) ?? [];
    // 200 high, with 8 above and 20 below: 172 stand for 10 requests, from 180 up. A third of 696 is 232.
    expect(allowed).toBe('M64 180V94H296V180ZM528 180V59.6H760V180Z');
    expect(denied).toBe('M296 180V145.6H528V180ZM528 59.6V8H760V59.6Z');
  });

  it('says with numbers that may be too low by how much', () => {
    expect(page).toContain('<td>5+</td>');
    expect(page).toContain('+: or up to 2 more');
  });

  it('of an empty log is a page all the same', () => {
    const empty = { start: null, bucketSeconds: 0, allowed: [], denied: [] };
    const nothing = {
      ...configuration,
      timeline: empty,
      rules: [],
      overrides: null,
      mostDenied: { ...subjects, first: [] },
    };
    const text = htmlReport({
      ...report,
      log: { ...report.log, from: null, to: null },
      configurations: [nothing],
      comparison: null,
    });
    expect(unclosed(text)).toEqual([]);
    expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

describe('html', () => {
  it('escapes text, and takes markup as it is', () => {
    expect(html`<p title="${'"<'}">${7}${html`<b>${'&'}</b>`}${[html`<i/>`, html`<i/>`]}</p>`.markup).toBe(
      '<p title="&quot;&lt;">7<b>&amp;</b><i/><i/></p>',
    );
  });
});
