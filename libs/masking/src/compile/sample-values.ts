import { deriveKey, RandomStream } from '@understudy/random';
import type { CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { generateValue, textOf } from '../values/generate-value.js';
import { orderByReferences } from './order-by-references.js';

/**
 * Produces sample rows with the masks of a table. Their row keys are invented, so no sample belongs to a real
 * row. JSON columns and the columns that read them are omitted, because their values depend on the documents.
 * @param bindings names of the masked columns, in the order that the masks were compiled with
 * @param from the number of the first row; rows with the same number are equal
 * @returns the texts of each column's values, row by row
 * @throws MaskingError generation_failed
 */
export function sampleValues(
  masks: readonly CellMask[],
  bindings: readonly string[],
  rows: number,
  from = 0,
): ReadonlyMap<string, readonly (string | null)[]> {
  const ordered: ColumnMask[] = [];
  const unknown = new Set<string>();
  for (const mask of orderByReferences(masks)) {
    if ('leaves' in mask || mask.references.some((name) => unknown.has(name))) unknown.add(mask.column.name);
    else ordered.push(mask);
  }
  const samples = new Map<string, (string | null)[]>(ordered.map(({ column }) => [column.name, []]));
  const random = new RandomStream();
  const stream = new Int32Array(3);
  for (let row = from; row < from + rows; row++) {
    const bound: unknown[] = bindings.map(() => null);
    for (const mask of ordered) {
      // These random words replace the hash of a row key, so they belong to no real row.
      random.seek(deriveKey(mask.key, 'sample'), row);
      for (let i = 0; i < stream.length; i++) stream[i] = random.uint32();
      const text = textOf(mask, generateValue(mask, stream, 0, bound, row));
      const slot = bindings.indexOf(mask.column.name);
      if (slot !== -1) bound[slot] = text;
      samples.get(mask.column.name)?.push(text);
    }
  }
  return samples;
}
