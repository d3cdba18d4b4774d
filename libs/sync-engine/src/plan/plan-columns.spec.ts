import type { ColumnDescription } from '@understudy/postgres';
import { type ColumnPlanRequest, planColumns } from './plan-columns.js';
import { MAX_PROBLEMS } from './problems/problem-list.js';
import { SyncJobError, type SyncFailure } from '@understudy/sync-job';

const RULE = { generator: 'template', pattern: 'x' };
const column = (name: string, more: Partial<ColumnDescription> = {}): ColumnDescription => ({
  ...{ name, type: 25, notNull: false, isIdentity: false, isGenerated: false, isText: true, holdsText: true },
  ...{ isBlankPadded: false, isJson: false, inForeignKey: false, ...more },
});

function failureOf(
  columns: readonly ColumnDescription[],
  rules: readonly (readonly [name: string, rule: unknown])[],
  more: Partial<ColumnPlanRequest> = {},
): SyncFailure | undefined {
  const name = { schema: 'public', table: 't' };
  const source = {
    name,
    oid: '1',
    isPartitioned: false,
    isUnreadable: false,
    partitionOf: [],
    ancestors: [],
    partitions: [],
    estimatedRows: 0,
    columns,
  };
  try {
    planColumns({
      tableIndex: 3,
      rules: { name: 't', columns: rules.map(([of, rule]) => ({ name: of, rule })) },
      ...{ unlisted: 'preserve', source, refusesPreserve: () => false, trainingFloor: () => 1, ...more },
    });
    return undefined;
  } catch (error) {
    if (error instanceof SyncJobError) return error.failure;
    throw error;
  }
}

describe('planColumns', () => {
  it('reports all problems of a table together, each with its column', () => {
    const failure = failureOf(
      [
        column('a'),
        column('g', { isGenerated: true }),
        column('t'),
        column('twice'),
        column('left'),
        column('kept'),
      ],
      [
        ['gone', RULE],
        ['a', { nonsense: 1 }],
        ['g', RULE],
        ['t', { json: { 'a.b': RULE } }],
        ['twice', RULE],
        ['twice', RULE],
        ['kept', { preserve: true }],
      ],
      { unlisted: 'reject', refusesPreserve: ({ name }) => name === 'kept' },
    );
    const at = (columnIndex: number, code: string) => ({ code, tableIndex: 3, columnIndex });
    expect(failure).toEqual({
      ...{ code: 'column_not_found', side: 'source', tableIndex: 3, columnIndex: 0, problemCount: 7 },
      problems: [
        { code: 'column_not_found', side: 'source', tableIndex: 3, columnIndex: 0 },
        at(1, 'rule_invalid'),
        at(2, 'column_generated'),
        at(3, 'json_paths_refused'),
        at(5, 'listed_twice'),
        { code: 'column_unlisted', tableIndex: 3, column: 'left' },
        { code: 'policy_denied', tableIndex: 3, columnIndex: 6 },
      ],
    });
  });

  it('names a column with a name that is similar to an unknown one', () => {
    const location = { code: 'column_not_found', side: 'source', tableIndex: 3, columnIndex: 0 };
    expect(failureOf([column('Vorname'), column('other')], [['vornahme', RULE]])).toEqual({
      ...location,
      problems: [{ ...location, column: 'Vorname' }],
      problemCount: 1,
    });
  });

  it('names the columns that must not become NULL, and those that must not be preserved', () => {
    const required = column('required', { notNull: true });
    expect(failureOf([required, column('other')], [], { unlisted: 'null' })?.problems).toEqual([
      {
        ...{ code: 'constraint_violation', side: 'target', tableIndex: 3 },
        ...{ constraintKind: 'not_null', column: 'required' },
      },
    ]);
    const refused = failureOf([column('a'), column('b')], [], { refusesPreserve: () => true });
    expect(refused?.problems).toEqual(
      ['a', 'b'].map((name) => ({ code: 'policy_denied', tableIndex: 3, column: name })),
    );
  });

  it('lists at most a hundred problems and counts all of them', () => {
    const many = Array.from({ length: 1_600 }, (_, i) => column(`c${i}`));
    const failure = failureOf(many, [], { unlisted: 'reject' });
    expect(failure?.problems).toHaveLength(MAX_PROBLEMS);
    expect(failure?.problemCount).toBe(1_600);
  });

  it('reports no problem for a table whose rules fit', () => {
    expect(failureOf([column('a'), column('b')], [['a', RULE]])).toBeUndefined();
  });
});
