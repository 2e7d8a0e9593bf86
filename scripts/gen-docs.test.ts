import { describe, expect, it } from 'vitest';
import { markdownTable } from './docs/markdown-table.ts';
import { replaceSection } from './docs/replace-section.ts';
import { generatedPages, generatePage, readPage } from './gen-docs.ts';

describe('docs/', () => {
  it.each(Object.keys(generatedPages))('%s is what `npm run gen` makes of it', (file) => {
    expect(readPage(file)).toBe(generatePage(file));
  });
});

describe('replaceSection', () => {
  it('keeps what is around the section', () => {
    const page = 'before\n<!-- begin x -->\nold\n<!-- end x -->\nafter\n';
    expect(replaceSection(page, 'x', 'new')).toBe(
      'before\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nafter\n',
    );
  });

  it.each([
    ['has no such section', 'text'],
    ['ends it before it begins', '<!-- end x --><!-- begin x -->'],
  ])('throws when the page %s', (_, page) => {
    expect(() => replaceSection(page, 'x', 'new')).toThrow('<!-- begin x -->');
  });
});

describe('markdownTable', () => {
  it('escapes bars and joins lines', () => {
    expect(markdownTable(['a', 'b'], [['1|2', 'x\ny']])).toBe('| a | b |\n| --- | --- |\n| 1\\|2 | x y |');
  });
});
