import fc from 'fast-check';
import { pendingTable, toProgress, workOf, type TableCounts } from './table-counts.js';

const counts: fc.Arbitrary<TableCounts> = fc.record({
  size: fc.record({ rows: fc.nat(), bytes: fc.nat() }),
  rows: fc.nat(),
  bytes: fc.nat(),
  isCopied: fc.boolean(),
  state: fc.constantFrom('pending', 'copying', 'completed'),
});

describe('the counts of a table', () => {
  it('are never past their totals, and are the totals in the end', () => {
    fc.assert(
      fc.property(counts, (table) => {
        const { rowsProcessed, rowsTotal, bytesProcessed, bytesTotal } = toProgress(table, 3);
        expect(rowsTotal).toBeGreaterThanOrEqual(rowsProcessed);
        expect(bytesTotal).toBeGreaterThanOrEqual(bytesProcessed);
        if (table.isCopied) expect([rowsTotal, bytesTotal]).toEqual([rowsProcessed, bytesProcessed]);
      }),
    );
  });

  it('expect more rows than the planner where its estimate was passed', () => {
    const table = pendingTable({ rows: 100, bytes: 80_000 });
    expect(toProgress({ ...table, rows: 50, bytes: 4_000 }, 0).rowsTotal).toBe(100);
    expect(toProgress({ ...table, rows: 200, bytes: 20_000 }, 0).rowsTotal).toBe(800);
  });
});

describe('the work of a copy', () => {
  it('is the same in total however far it is, and only moves from what remains to what is done', () => {
    fc.assert(
      fc.property(fc.array(counts), fc.nat(), (tables, more) => {
        const before = workOf(tables);
        const after = workOf(tables.map((t) => ({ ...t, rows: t.rows + more, bytes: t.bytes + more })));
        expect(after.done).toBeGreaterThanOrEqual(before.done);
        expect(after.remaining).toBeLessThanOrEqual(before.remaining);
        expect(after.remaining).toBeGreaterThanOrEqual(0);
        const total = tables.reduce((sum, { size }) => sum + size.bytes + 8192, 0);
        expect(before.done + before.remaining).toBeCloseTo(total, 0);
      }),
    );
  });

  it('is not done before the rows are', () => {
    const table = pendingTable({ rows: 10, bytes: 1_000_000 });
    expect(workOf([{ ...table, rows: 10_000, bytes: 500_000 }]).remaining).toBeGreaterThan(400_000);
    expect(workOf([{ ...table, isCopied: true }]).remaining).toBe(0);
  });
});
