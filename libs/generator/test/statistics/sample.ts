import { compileSchema } from '../../src/compile/compile-schema.js';
import type { Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

export const N = 100_000;

/** Calls `see` with the values of each record, in the order of `generators`. */
export function eachRecord(
  generators: Json,
  see: (values: readonly unknown[], row: number) => void,
  { seed = 1, count = N, from = 0 } = {},
): void {
  const cursor = compileSchema({ generators, output: Object.keys(generators) }, OPTIONS).open(seed);
  for (let row = from; row < from + count; row += 1) {
    cursor.moveTo(row);
    see(cursor.values, row - from);
  }
}

/** Generates values with one definition and returns them as numbers, in the order of the rows. */
export function sampleOf(
  definition: Json,
  range?: { seed?: number; count?: number; from?: number },
): Float64Array {
  const numbers = new Float64Array(range?.count ?? N);
  eachRecord(
    { it: definition },
    ([value], row) => {
      numbers[row] = Number(value);
    },
    range,
  );
  return numbers;
}

/** Counts how often each of `cells` occurs. @throws Error if the definition generates any other value */
export function countsOf(definition: Json, cells: readonly unknown[], count = N): number[] {
  const places = new Map(cells.map((cell, i) => [cell, i]));
  const counts = cells.map(() => 0);
  eachRecord(
    { it: definition },
    ([value]) => {
      const place = places.get(value);
      if (place === undefined) throw new Error(`${String(value)} is not one of the expected values`);
      counts[place] = (counts[place] ?? 0) + 1;
    },
    { count },
  );
  return counts;
}
