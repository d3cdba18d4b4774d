import fc from 'fast-check';
import { pendingTable, toProgress, workOf, type TableCounts } from './table-counts.js';

const counts: fc.Arbitrary<TableCounts> = fc.record({
  size: fc.record({ rows: fc.nat(), bytes: fc.nat() }),
  rows: fc.nat(),
  bytes: fc.nat(),
  isCopied: fc.boolean(),
  state: fc.constantFrom('pending', 'copying', 'completed'),
});

describe('toProgress', () => {
  it('never reports a count above its total, and reports equal values once all rows are copied', () => {
    fc.assert(
      fc.property(counts, (table) => {
        const { rowsProcessed, rowsTotal, bytesProcessed, bytesTotal } = toProgress(table, 3);
        expect(rowsTotal).toBeGreaterThanOrEqual(rowsProcessed);
        expect(bytesTotal).toBeGreaterThanOrEqual(bytesProcessed);
        if (table.isCopied) expect([rowsTotal, bytesTotal]).toEqual([rowsProcessed, bytesProcessed]);
      }),
    );
  });

  it('expects more rows than the planner estimated once that number is exceeded', () => {
    const table = pendingTable({ rows: 100, bytes: 80_000 });
    expect(toProgress({ ...table, rows: 50, bytes: 4_000 }, 0).rowsTotal).toBe(100);
    expect(toProgress({ ...table, rows: 200, bytes: 20_000 }, 0).rowsTotal).toBe(800);
  });
});

describe('workOf', () => {
  it('keeps the total work constant, and only moves work from remaining to done', () => {
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

  it('leaves work remaining until all rows are copied', () => {
    const table = pendingTable({ rows: 10, bytes: 1_000_000 });
    expect(workOf([{ ...table, rows: 10_000, bytes: 500_000 }]).remaining).toBeGreaterThan(400_000);
    expect(workOf([{ ...table, isCopied: true }]).remaining).toBe(0);
  });
});
