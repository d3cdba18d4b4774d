const LONGEST = 64;
const MAX_EDITS = 4;

/** Returns the known name that is most similar to a misspelt one, or undefined if none is similar. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length < 2) return undefined;
  const written = name.toLowerCase();
  let nearest: string | undefined;
  let least = Math.min(MAX_EDITS, Math.max(1, Math.floor(name.length / 3))) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least || candidate.length > LONGEST) continue;
    const distance = editDistance(written, candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Returns `; did you mean "x"?` or an empty text, as the end of a message. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = name.length > LONGEST ? undefined : nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/**
 * Returns the smallest number of edits that change one text into the other (optimal string alignment). An
 * edit inserts, deletes or replaces a character, or swaps two neighbours. Returns `enough` if the number is
 * `enough` or more. Computes only the cells near the diagonal of the distance table to save time: a
 * definition may contain a thousand misspelt names.
 */
function editDistance(a: string, b: string, enough: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, enough));
  for (let i = 1; i <= a.length; i += 1) {
    const row = new Array<number>(b.length + 1).fill(enough);
    row[0] = Math.min(i, enough);
    let least = row[0];
    for (let j = Math.max(1, i - enough); j <= Math.min(b.length, i + enough); j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        enough,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least >= enough) return enough;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? enough;
}
