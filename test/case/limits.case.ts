import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import { descriptor } from '../support/requests.ts';
import type { StartAsking } from './networks.case.ts';

/** Windows so long that hardly ever one ends in the middle of a test, and a bucket that gains a token in hours. */
const yaml = `
domain: shop
descriptors:
  - {key: account, rate_limits: [4/year, 20/366d]}
  - {key: narrow, rate_limits: [20/year, 4/366d]}
  - {key: plain, rate_limit: {unit: day, requests_per_unit: 100}}
  - {key: sliding, rate_limit: {window: 366d, requests_per_unit: 10, algorithm: sliding_window}}
  - {key: bucket, rate_limit: {unit: day, requests_per_unit: 10, burst: 6, algorithm: token_bucket}}
  - {key: calendar, rate_limit: {unit: year, requests_per_unit: 10, align: calendar, timezone: Europe/Berlin}}
  - key: mixed
    rate_limits:
      - {unit: year, requests_per_unit: 50}
      - {unit: day, requests_per_unit: 6, algorithm: token_bucket}
      - {window: 366d, requests_per_unit: 9, algorithm: sliding_window}
      - {unit: year, requests_per_unit: 8, align: calendar}
  - {key: shadow, shadow_mode: true, rate_limits: [2/year, 3/366d]}
  - {key: q1, quota_mode: true, rate_limits: [2/year, 50/366d]}
  - {key: q2, quota_mode: true, rate_limits: [50/year, 4/366d]}
`;

/** What several limits on one descriptor do, and limits that are no fixed windows, on any store. */
export function limitCases(name: string, start: StartAsking): void {
  const print = ({ overallCode, statuses }: Decision) =>
    [
      overallCode === 'OK' ? 'OK' : 'OVER',
      ...statuses.map((status) => `${status.limitRemaining}/${status.currentLimit?.requestsPerUnit}`),
    ].join(' ');

  describe(`limits on ${name}`, () => {
    it('C01: a list allows what all of its limits allow, and a denied request counts on none', async () => {
      const decide = await start(yaml);
      const answers = [];
      for (let i = 0; i < 7; i++) answers.push(print(await decide(['account=a1'])));
      expect(answers).toEqual(['OK 3/4', 'OK 2/4', 'OK 1/4', 'OK 0/4', 'OVER 0/4', 'OVER 0/4', 'OVER 0/4']);
      // Of the other limit as much is used as was allowed: what is given back shows on both.
      await decide(['account=a1'], { refund: true, hits: 4 });
      expect(print(await decide(['account=a1']))).toBe('OK 3/4');
    });

    it('the limit that binds is the one with the least left, wherever it stands in the list', async () => {
      const decide = await start(yaml);
      expect(print(await decide(['narrow=n']))).toBe('OK 3/4');
      for (let i = 0; i < 3; i++) await decide(['narrow=n']);
      expect(print(await decide(['narrow=n']))).toBe('OVER 0/4');
    });

    it('a list is decided beside other descriptors, which count as they always do', async () => {
      const decide = await start(yaml);
      for (let i = 0; i < 4; i++) await decide(['account=b', 'plain=b']);
      expect(print(await decide(['account=b', 'plain=b']))).toBe('OVER 0/4 95/100');
      expect(print(await decide(['plain=b']))).toBe('OK 94/100');
    });

    it.each([
      ['sliding', 10, 10],
      ['bucket', 6, 10],
      ['calendar', 10, 10],
    ])('a limit by %s allows %i and denies then', async (key, capacity, limit) => {
      const decide = await start(yaml);
      for (let left = capacity - 1; left >= 0; left -= 1) {
        expect(print(await decide([`${key}=x`]))).toBe(`OK ${left}/${limit}`);
      }
      expect(print(await decide([`${key}=x`]))).toBe(`OVER 0/${limit}`);
      await decide([`${key}=x`], { refund: true, hits: 2 });
      // What was denied is among what was counted, but of a bucket it took nothing.
      expect(print(await decide([`${key}=x`]))).toBe(key === 'bucket' ? `OK 1/${limit}` : `OK 0/${limit}`);
    });

    it('limits of every algorithm on one descriptor are one step', async () => {
      const decide = await start(yaml);
      const codes = [];
      for (let i = 0; i < 8; i++) codes.push((await decide(['mixed=m'])).overallCode);
      expect(codes).toEqual([...Array(6).fill('OK'), 'OVER_LIMIT', 'OVER_LIMIT']);
      await decide(['mixed=m'], { refund: true, hits: 6 });
      expect(print(await decide(['mixed=m']))).toBe('OK 5/6');
    });

    it('N02: concurrent calls together use a list up exactly', async () => {
      const decide = await start(yaml);
      const answers = await Promise.all(Array.from({ length: 40 }, () => decide(['mixed=c'])));
      expect(answers.filter(({ overallCode }) => overallCode === 'OK')).toHaveLength(6);
    });

    it('a request that names one counter by a list and by a limit of its own is judged in order', async () => {
      const decide = await start(yaml);
      const own = descriptor('account=o', { limit: [3, 'YEAR'], hits: 3 });
      expect(print(await decide([descriptor('account=o', {}), own]))).toBe('OVER 3/4 0/3');
    });

    it('quotas that pass count on all limits of a list', async () => {
      const decide = await start(yaml);
      for (let i = 0; i < 3; i++) await decide(['q1=c', 'q2=c']);
      await decide(['q1=c'], { refund: true, hits: 2 });
      expect(print(await decide(['q1=c', 'q2=other']))).toBe('OK 0/2 3/4');
    });

    it('a list in shadow mode denies nobody and goes on counting', async () => {
      const decide = await start(yaml);
      for (let i = 0; i < 5; i++) expect((await decide(['shadow=s'])).overallCode).toBe('OK');
      expect(print(await decide(['shadow=s']))).toMatch(/^OK 0\/[23]$/);
    });

    it('a quota of several limits is used up when one of them is, and denies when all quotas are', async () => {
      const decide = await start(yaml);
      const codes = [];
      for (let i = 0; i < 6; i++) codes.push((await decide(['q1=a', 'q2=a'])).overallCode);
      expect(codes).toEqual(['OK', 'OK', 'OK', 'OK', 'OVER_LIMIT', 'OVER_LIMIT']);
    });
  });
}

/** The same where a denied request counts nowhere. */
export function uncountedLimitCases(name: string, start: StartAsking): void {
  describe(`limits on ${name}, where a denied request counts nowhere`, () => {
    it('C01: one that a list denies counts on none of the request', async () => {
      const decide = await start(yaml);
      for (let i = 0; i < 4; i++) await decide(['account=a', 'plain=a']);
      for (let i = 0; i < 3; i++) {
        const denied = await decide(['account=a', 'plain=a']);
        expect(denied.statuses.map(({ limitRemaining }) => limitRemaining)).toEqual([0, 96]);
      }
      expect((await decide(['plain=a'])).statuses[0]?.limitRemaining).toBe(95);
    });

    it('one that another descriptor denies counts on none of a list', async () => {
      const decide = await start(yaml);
      for (let i = 0; i < 4; i++) await decide(['narrow=full']);
      for (let i = 0; i < 5; i++) {
        expect((await decide(['mixed=free', 'narrow=full'])).overallCode).toBe('OVER_LIMIT');
      }
      expect((await decide(['mixed=free'])).statuses[0]?.limitRemaining).toBe(5);
    });

    it('quotas of several limits deny together', async () => {
      const decide = await start(yaml);
      const codes = [];
      for (let i = 0; i < 6; i++) codes.push((await decide(['q1=a', 'q2=a'])).overallCode);
      expect(codes).toEqual(['OK', 'OK', 'OK', 'OK', 'OVER_LIMIT', 'OVER_LIMIT']);
    });
  });
}
