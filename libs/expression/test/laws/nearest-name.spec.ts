import { nearestName } from '../../src/parse/nearest-name.js';
import fc from 'fast-check';

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 14 });

/**
 * Returns the edit distance of two texts, computed directly from the definition of optimal string alignment.
 */
function distance(a: string, b: string): number {
  const table: number[][] = [];
  const cell = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i += 1) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= b.length; j += 1) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const choices = [cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + changed];
      row.push(i + j === 0 ? 0 : Math.min(...choices, swapped ? cell(i - 2, j - 2) + 1 : Infinity));
    }
  }
  return cell(a.length, b.length);
}

test(
  'the nearest name is the first with the fewest edits, at most a third of its letters and at ' + 'most four',
  () => {
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 6 }), (misspelled, known) => {
        const most = misspelled.length < 2 ? -1 : Math.min(4, Math.max(1, Math.floor(misspelled.length / 3)));
        const least = Math.min(...known.map((candidate) => distance(misspelled, candidate)));
        const nearest = known.find((candidate) => distance(misspelled, candidate) === least);
        expect(nearestName(misspelled, known)).toBe(least <= most ? nearest : undefined);
      }),
      { numRuns: 2000 },
    );
  },
);
