/**
 * Puts generated text between `<!-- begin NAME -->` and `<!-- end NAME -->`; everything else on the page is written by
 * hand and stays.
 */
export function replaceSection(page: string, name: string, content: string): string {
  const begin = `<!-- begin ${name} -->`;
  const end = `<!-- end ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page has no section ${begin} ... ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
