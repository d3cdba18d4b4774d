import { deriveKey, RandomStream } from '@understudy/random';
import type { CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { generateValue, textOf } from '../values/generate-value.js';
import { orderByReferences } from './order-by-references.js';

/**
 * Rows that the masks of a table could make, of made-up row keys: no value of them is of a row, and none is stored anywhere.
 * JSON columns are left out, and what reads them: what becomes of them depends on their documents.
 * @param bindings see `TextTableMask`
 * @returns for each column its values' texts, row by row
 * @throws MaskingError generation_failed
 */
export function sampleValues(
  masks: readonly CellMask[],
  bindings: readonly string[],
  rows: number,
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
  for (let row = 0; row < rows; row++) {
    const bound: unknown[] = bindings.map(() => null);
    for (const mask of ordered) {
      // The same row for all columns; another one than any row of a table.
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
