import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, readText } from './repository.ts';

const page = readText('docs/envoy-gateway.md');
const examples = ['envoy-gateway.yaml', 'values.yaml'].map((name) =>
  parse(readText(`examples/envoy-gateway/${name}`)),
);

/** Whether all that a part says is in the whole. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(part, whole);
  return Object.entries(part).every(([key, value]) =>
    isPartOf(value, (whole as Record<string, unknown> | undefined)?.[key]),
  );
}

describe('docs/envoy-gateway.md', () => {
  it('shows parts of the files in examples/envoy-gateway', () => {
    const blocks = codeBlocks(page, 'yaml').map((text) => parse(text) as unknown);
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(examples.some((example) => isPartOf(block, example))).toBe(true);
  });
});
