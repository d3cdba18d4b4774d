import fc from 'fast-check';
import { type Chunk, cutIntoChunks } from './plan-chunks.js';
import type { MeasuredRelation } from '../plan/measure-relations.js';

const relation = fc.record({
  tableIndex: fc.nat(3),
  name: fc.constant({ schema: 'public', table: 't' }),
  oid: fc.nat().map(String),
  reads: fc.constant('table' as const),
  pages: fc.nat(300),
  bytes: fc.nat(2 ** 30),
});
const relations = fc.uniqueArray(relation, { selector: ({ oid }) => oid, maxLength: 8 });
const chunkBytes = fc.integer({ min: 1, max: 2 ** 28 });

const of = (chunks: readonly Chunk[], { oid }: MeasuredRelation) =>
  chunks.filter(({ relationOid }) => relationOid === oid).sort((a, b) => a.number - b.number);

describe('cutIntoChunks', () => {
  it('assigns every page of a relation to exactly one chunk', () => {
    fc.assert(
      fc.property(relations, chunkBytes, (measured, size) => {
        const chunks = cutIntoChunks(measured, { chunkBytes: size });
        for (const one of measured) {
          const cut = of(chunks, one);
          expect(cut[0]?.fromPage).toBeUndefined();
          expect(cut.at(-1)?.toPage).toBeUndefined();
          const followOn = cut.slice(1).every(({ fromPage = 0 }, i) => {
            const before = cut[i];
            return fromPage === before?.toPage && fromPage > (before.fromPage ?? 0) && fromPage < one.pages;
          });
          expect(followOn).toBe(true);
        }
      }),
    );
  });

  it('numbers the chunks of a table from 0 and gives the same numbers each time', () => {
    fc.assert(
      fc.property(relations, chunkBytes, (measured, size) => {
        const chunks = cutIntoChunks(measured, { chunkBytes: size });
        for (const index of new Set(measured.map(({ tableIndex }) => tableIndex))) {
          const numbers = chunks.filter(({ tableIndex }) => tableIndex === index).map(({ number }) => number);
          expect(numbers).toEqual(numbers.map((_, i) => i));
        }
        expect(cutIntoChunks(measured, { chunkBytes: size })).toEqual(chunks);
      }),
    );
  });

  it('puts the chunks of the largest table first', () => {
    const small = {
      tableIndex: 0,
      name: { schema: 's', table: 'a' },
      oid: '1',
      reads: 'table',
      pages: 1,
      bytes: 8_192,
    } as const;
    const large = { ...small, tableIndex: 1, oid: '2', pages: 100, bytes: 819_200 };
    const order = cutIntoChunks([small, large], { chunkBytes: 409_600 }).map(({ tableIndex, number }) => [
      tableIndex,
      number,
    ]);
    expect(order).toEqual([
      [1, 0],
      [1, 1],
      [0, 0],
    ]);
  });

  it('limits the number of chunks of a table for any table size and chunk size', () => {
    const huge = {
      tableIndex: 0,
      name: { schema: 's', table: 'a' },
      oid: '1',
      reads: 'table',
      pages: 2 ** 32 - 1,
      bytes: 2 ** 45,
    } as const;
    expect(cutIntoChunks([huge], { chunkBytes: 1 }).length).toBeLessThanOrEqual(10_000);
  });
});
