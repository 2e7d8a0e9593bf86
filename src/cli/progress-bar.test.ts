import { describe, expect, it } from 'vitest';
import { createProgressBar } from './progress-bar.ts';

function barOn({ isTTY, columns = 80 }: { isTTY: boolean; columns?: number }) {
  const written: string[] = [];
  let now = 1_000;
  const stream = { isTTY, columns, write: (text: string) => written.push(text) };
  const bar = createProgressBar(stream, () => now);
  return {
    written,
    clear: bar.clear,
    showAfter(ms: number, octetsRead: number, octets: number | undefined, requests: number) {
      now += ms;
      bar.show({ octetsRead, octets, requests });
    },
  };
}

describe('createProgressBar()', () => {
  it('shows how much of the log is read, and how fast', () => {
    const { written, showAfter, clear } = barOn({ isTTY: true });
    showAfter(500, 250, 1_000, 100_000);
    showAfter(1_500, 1_000, 1_000, 500_000);
    clear();
    expect(written).toEqual([
      '\r[######..................]  25 %  100,000 requests, 200,000/s\x1b[K',
      '\r[########################] 100 %  500,000 requests, 250,000/s\x1b[K',
      '\r\x1b[K',
    ]);
  });

  it('shows octets where nobody knows how long the log is', () => {
    const { written, showAfter } = barOn({ isTTY: true });
    showAfter(1_000, 3 * 1_048_576, undefined, 5);
    expect(written).toEqual(['\r3 MiB  5 requests, 5/s\x1b[K']);
  });

  it('writes ten times a second at most, and no more than the line has room for', () => {
    const { written, showAfter } = barOn({ isTTY: true, columns: 20 });
    for (let times = 0; times < 100; times++) showAfter(10, times, 100, times);
    expect(written).toHaveLength(10);
    expect(written.every((text) => text.length === '\r'.length + 19 + '\x1b[K'.length)).toBe(true);
  });

  it('takes a terminal that does not know its width for one of 80 columns', () => {
    const { written, showAfter } = barOn({ isTTY: true, columns: 0 });
    showAfter(1_000, 1, 1, 5);
    expect(written).toEqual(['\r[########################] 100 %  5 requests, 5/s\x1b[K']);
  });

  it('writes nothing where nobody looks', () => {
    const { written, showAfter, clear } = barOn({ isTTY: false });
    showAfter(1_000, 1, 2, 3);
    clear();
    expect(written).toEqual([]);
  });
});
