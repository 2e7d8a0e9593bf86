/** How many letters may differ, and how many words are compared at most: this runs on what callers send, too. */
const maxDistance = 3;
const maxWords = 1_000;
const maxLength = 64;

/** The word that was probably meant: the nearest by edits and case, or undefined when none is near. */
export function nearestWord(word: string, words: Iterable<string>): string | undefined {
  if (word.length > maxLength) return undefined;
  // Of very short words only another case is near: any two of them differ in one letter.
  const bound = word.length < 3 ? 0.5 : Math.min(maxDistance, Math.floor(word.length / 3));
  let nearest: string | undefined;
  let least = bound + 0.1;
  let compared = 0;
  for (const candidate of words) {
    if (++compared > maxWords) break;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = word.toLowerCase() === candidate.toLowerCase() ? 0.5 : editDistance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Insertions, deletions, changes and swaps of neighbours that lead from `a` to `b` (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + change,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
