/**
 * What stands for the networks of a rule where there is room for one: the first, and how many more there are. No two rules of
 * a key have a network in common, so it tells them apart.
 */
export function networksText(cidrs: readonly string[]): string {
  const [first = ''] = cidrs;
  return cidrs.length > 1 ? `${first}+${cidrs.length - 1}` : first;
}
