import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { codeIn, readText, sectionOf, tableRows } from './repository.ts';

describe('docs/operations.md, metrics', () => {
  const section = sectionOf(readText('docs/operations.md'), '## Metrics');

  /** Family -> type, of everything that can be registered but what Node itself has. */
  async function registered(): Promise<Record<string, string>> {
    const metrics = createMetrics({ withProcess: true });
    const readers = {
      denyCacheEntries: () => 0,
      memoryCounters: () => 0,
      isReady: () => true,
      statsdLines: () => ({ sent: 0, lost: 0 }),
      traceSpans: () => ({ ended: 0, exported: 0, failed: 0 }),
    };
    metrics.read(readers satisfies Required<Parameters<typeof metrics.read>[0]>);
    const { body } = await metrics.text();
    const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [
      name,
      type,
    ]);
    return Object.fromEntries(types.filter(([name]) => !/^(process|nodejs)_/.test(name as string)));
  }

  it('lists every family that there is, with its type, and no other', async () => {
    const listed = tableRows(section)
      .filter(([, type = '']) => /^(counter|gauge|histogram)$/.test(type))
      .flatMap(([names = '', type = '']) => codeIn(names).map((name) => [name, type]));
    expect(Object.fromEntries(listed)).toEqual(await registered());
  });

  it('uses no other name in the expressions of alerts and in the text', async () => {
    const families = Object.keys(await registered());
    const named = [...readText('docs/operations.md').matchAll(/\b(?:weir|ratelimit)_[a-z0-9_]+\b/g)];
    const unknown = named.map(([name]) => name).filter((name) => !families.includes(name));
    // The last is statsd's.
    const beginnings = ['ratelimit_', 'weir_'];
    expect(unknown.filter((name) => ![...beginnings, 'ratelimit_server'].includes(name))).toEqual([]);
  });
});
