import type { InsertableColumn, InsertableTable } from '@understudy/postgres';

import { columnProblems } from './column-problems.js';

const column = (name: string, more: Partial<InsertableColumn> = {}): InsertableColumn => ({
  name,
  type: 'text',
  isArray: false,
  isGenerated: false,
  isRequired: false,
  ...more,
});
const table = (
  columns: readonly InsertableColumn[],
  more: Partial<InsertableTable> = {},
): InsertableTable => ({
  name: { schema: 'public', table: 't' },
  isTable: true,
  isAllowed: true,
  columns,
  ...more,
});

describe('columnProblems', () => {
  it('accepts fields in any order and tables with additional columns', () => {
    expect(columnProblems(table([column('a'), column('b'), column('c')]), ['b', 'a'])).toEqual([]);
  });

  it('reports every problem in one call', () => {
    const columns = [
      column('id', { isRequired: true, type: 'bigint' }),
      column('sum', { isGenerated: true }),
      column('email'),
    ];
    expect(columnProblems(table(columns, { isAllowed: false }), ['Email', 'sum', 'x'])).toEqual([
      'the user has no permission to insert into this table',
      'has no column "Email"; it has "email"',
      'column "sum" is computed by the server: remove it from "output"',
      'has no column "x"',
      'column "id" (bigint) is NOT NULL and has no default: add it to "output"',
    ]);
  });

  it('rejects a view', () => {
    expect(columnProblems(table([], { isTable: false }), ['a'])).toEqual(['is not a table']);
  });
});
