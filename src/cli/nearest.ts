/** The most letters a mistyped word may differ by. */
const MAX_EDITS = 3;

/** The word that looks most like a mistyped one; null when none comes close. */
export function nearest(written: string, words: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = MAX_EDITS + 1;
  for (const word of words) {
    const edits = word.startsWith(written) && written.length > 2 ? 1 : editsBetween(written, word);
    if (edits < fewest && edits < word.length - 1) {
      best = word;
      fewest = edits;
    }
  }
  return best;
}

/** How many letters have to be added, dropped or replaced to turn one word into the other. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
