import type { SyncJobTable } from '@understudy/client';

import {
  addChanges,
  addPage,
  emptyList,
  nextPage,
  PAGE_SIZE,
  shownTables,
  type TableList,
  type TableSort,
} from './table-list.js';

const table = (position: number, changed: Partial<SyncJobTable> = {}): SyncJobTable => ({
  ...{ position, name: `t${position}`, status: 'pending', rows_processed: 0, rows_total: null },
  ...{ bytes_processed: 0, bytes_total: null },
  ...changed,
});

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const positions = (list: TableList) => shownTables(list).map(({ position }) => position);
const page = (from: number, to: number, revision: number) => ({
  tables: range(from, to).map((position) => table(position)),
  revision,
});

describe('the list of tables', () => {
  it('shows the pages in the order of the server', () => {
    const first = addPage(emptyList({ sort: 'position' }), page(0, 100, 7));
    const second = addPage(first, page(100, 130, 9));
    expect(positions(second)).toEqual(range(0, 130));
    expect([first.isComplete, second.isComplete]).toEqual([false, true]);
  });

  it('asks for all changes since its oldest page', () => {
    const first = addPage(emptyList({ sort: 'position' }), page(0, 100, 7));
    expect(addPage(first, page(100, 130, 9)).revision).toBe(7);
    expect(addPage(addChanges(first, { tables: [], revision: 12 }), page(100, 130, 11)).revision).toBe(11);
  });

  it('shows the new state of a table, but no table beyond its last page', () => {
    const first = addPage(emptyList({ sort: 'position' }), page(0, 100, 7));
    const changed = addChanges(first, {
      tables: [table(5, { status: 'copying' }), table(150, { status: 'copying' })],
      revision: 8,
    });
    expect(positions(changed)).toEqual(range(0, 100));
    expect(shownTables(changed)[5]?.status).toBe('copying');
    expect(positions(addPage(changed, page(100, 140, 8)))).toEqual([...range(0, 140), 150]);
  });

  it('moves tables in and out of a status', () => {
    const copying = (position: number) => table(position, { status: 'copying' });
    const list = addPage(emptyList({ status: 'copying', sort: 'position' }), {
      tables: [copying(3), copying(8)],
      revision: 4,
    });
    const changed = addChanges(list, {
      tables: [table(3, { status: 'completed' }), copying(9)],
      revision: 6,
    });
    expect(positions(changed)).toEqual([8, 9]);
  });

  it('is behind after as many changes as one response can list', () => {
    const list = addPage(emptyList({ sort: 'position' }), page(0, 100, 7));
    const full = addChanges(list, page(0, PAGE_SIZE, 40));
    expect([full.isBehind, full.revision]).toEqual([true, 40]);
    expect(addChanges(full, { tables: [], revision: 40 }).isBehind).toBe(false);
  });

  it('stays the same object if nothing has changed', () => {
    const list = addPage(emptyList({ sort: 'position' }), page(0, 100, 7));
    expect(addChanges(list, { tables: [], revision: 7 })).toBe(list);
  });

  it.each<[TableSort, number[]]>([
    ['name', [1, 2, 0, 3]],
    ['-rows_total', [2, 0, 1, 3]],
    ['-bytes_total', [0, 2, 1, 3]],
    ['-bytes_remaining', [2, 0, 1, 3]],
  ])('has the order %s of the server, in which tables without a value are last', (sort, expected) => {
    const tables = [
      table(0, { name: 'c', rows_total: 5, bytes_total: 90, bytes_processed: 80 }),
      table(1, { name: 'a', rows_total: 5, bytes_total: 20, bytes_processed: 20 }),
      table(2, { name: 'b', rows_total: 9, bytes_total: 60, bytes_processed: 0 }),
      table(3, { name: 'd' }),
    ];
    expect(positions(addPage(emptyList({ sort }), { tables, revision: 1 }))).toEqual(expected);
  });
});

describe('nextPage', () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [150, 2],
  ])('with %d shown tables is page %d', (shown, expected) => {
    expect(nextPage(shown)).toBe(expected);
  });
});
