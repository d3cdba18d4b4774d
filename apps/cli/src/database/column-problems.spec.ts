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

describe('a table', () => {
  it('takes fields that are columns, in any order, and may have others', () => {
    expect(columnProblems(table([column('a'), column('b'), column('c')]), ['b', 'a'])).toEqual([]);
  });

  it('is told everything that does not fit, at once', () => {
    const columns = [
      column('id', { isRequired: true, type: 'bigint' }),
      column('sum', { isGenerated: true }),
      column('email'),
    ];
    expect(columnProblems(table(columns, { isAllowed: false }), ['Email', 'sum', 'x'])).toEqual([
      'the user may not insert into it',
      'has no column "Email"; it has "email"',
      'column "sum" is computed by the server: leave it out of "output"',
      'has no column "x"',
      'column "id" (bigint) takes no NULL and has no default: "output" has to have it',
    ]);
  });

  it('is no view', () => {
    expect(columnProblems(table([], { isTable: false }), ['a'])).toEqual(['is no table']);
  });
});
