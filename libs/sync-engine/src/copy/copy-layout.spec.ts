import type { ColumnDescription } from '@understudy/postgres';
import { copyLayout } from './copy-layout.js';
import type { ColumnFill, TablePlan } from '../plan/table-plan.js';

function column(name: string, more: Partial<ColumnDescription> = {}): ColumnDescription {
  return {
    name,
    notNull: false,
    isIdentity: false,
    isGenerated: false,
    isText: true,
    holdsText: true,
    isBlankPadded: false,
    isJson: false,
    type: 25,
    inForeignKey: false,
    ...more,
  };
}

function plan(columns: readonly ColumnDescription[], nulls: readonly string[]): TablePlan {
  const name = { schema: 'public', table: 'T' };
  return {
    index: 0,
    name,
    source: {
      name,
      oid: '1',
      isPartitioned: false,
      isUnreadable: false,
      partitionOf: [],
      ancestors: [],
      partitions: [],
      estimatedRows: 0,
      columns,
    },
    target: undefined,
    columns: columns
      .filter(({ isGenerated }) => !isGenerated)
      .map((description) => {
        const fill: ColumnFill = { kind: nulls.includes(description.name) ? 'null' : 'preserve' };
        return { description, fill };
      }),
    columnIndex: new Map(),
  };
}

const kinds = ({ head }: ReturnType<typeof copyLayout>) => head.map(({ kind }) => kind);

describe('copyLayout', () => {
  it('copies a table without rules unparsed and omits generated columns', () => {
    const layout = copyLayout(
      plan([column('a'), column('g', { isGenerated: true }), column('b"')], []),
      new Map(),
    );
    expect(layout).toEqual({
      read: ['a', 'b"'],
      nullFlagOnly: new Set(),
      written: ['a', 'b"'],
      readsExtraColumns: false,
      orderBy: [],
      head: [],
      keyFields: 0,
    });
  });

  it('puts the primary key first in its own order, then the masked columns, then the rest', () => {
    const columns = [
      column('x'),
      column('k2', { keyPosition: 2 }),
      column('y'),
      column('k1', { keyPosition: 1 }),
    ];
    const layout = copyLayout(plan(columns, ['y']), new Map());
    expect(layout).toMatchObject({ read: ['k1', 'k2', 'y', 'x'], readsExtraColumns: false });
    expect(kinds(layout)).toEqual(['keep', 'keep', 'null']);
    expect(layout.keyFields).toBe(2);
  });

  it('reads the location of each row if there is no primary key, and does not write it', () => {
    const layout = copyLayout(plan([column('x'), column('y')], ['y']), new Map());
    expect(layout).toMatchObject({
      read: ['tableoid', 'ctid', 'y', 'x'],
      written: ['y', 'x'],
      readsExtraColumns: true,
      orderBy: [],
    });
    expect(kinds(layout)).toEqual(['drop', 'drop', 'null']);
  });

  it('reads a generated key without writing it', () => {
    const layout = copyLayout(
      plan([column('k', { keyPosition: 1, isGenerated: true }), column('y')], ['y']),
      new Map(),
    );
    expect(layout).toMatchObject({ read: ['k', 'y'], written: ['y'], readsExtraColumns: true });
  });
});
