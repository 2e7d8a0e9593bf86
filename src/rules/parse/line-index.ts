import type { Position } from '../rules-document.ts';

/** Turns offsets of a text into lines and columns, both from 1. A column counts UTF-16 units, as editors do. */
export interface LineIndex {
  positionAt(offset: number): Position;
}

export function createLineIndex(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    positionAt(offset) {
      const within = Math.max(0, Math.min(offset, text.length));
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if ((starts[middle] as number) <= within) low = middle;
        else high = middle;
      }
      return { line: low + 1, column: within - (starts[low] as number) + 1 };
    },
  };
}
