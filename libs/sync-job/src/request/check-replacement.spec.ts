import { toDefinition, toRequest } from '../command/job-definition.js';
import type { FieldProblem } from './field-problem.js';
import { readSyncRequest } from './read-sync-request.js';

const TABLES = [
  { name: 'log', rows: 'none' },
  { name: 'country', rows: 'preserve', columns: ['id', 'name'] },
  { name: 'customer', columns: { email: { generator: 'template', pattern: 'x' } } },
];
const COLUMNS = Array.from({ length: 1001 }, (_, i) => `c${i}`);
const COMPLETE = { replace: 'database', drop_target_only: true, privileges: 'source', tables: TABLES };

function read(body: Readonly<Record<string, unknown>>) {
  const found: FieldProblem[] = [];
  const request = readSyncRequest(body, found);
  return { request, problems: found.map(({ field, message }) => `${field}: ${message}`) };
}

const one = (table: object) => ({ ...COMPLETE, tables: [{ name: 't', ...table }] });

describe('a request that replaces a database', () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['nothing', COMPLETE, []],
    [
      'the modes that it has anyway',
      { ...COMPLETE, unlisted_tables: 'reject', unlisted_columns: 'reject' },
      [],
    ],
    ['columns of an empty table that are an empty object', one({ rows: 'none', columns: {} }), []],
    [
      'options of a job on tables',
      {
        ...COMPLETE,
        unlisted_columns: 'null',
        ignored_tables: ['a'],
        unlisted_tables: 'warn',
        source_code: 'omit',
      },
      ['unlisted_columns', 'unlisted_tables', 'ignored_tables', 'source_code'].map(
        (field) => `${field}: cannot be combined with "replace": "database"`,
      ),
    ],
    [
      'a mode of a table',
      one({ columns: {}, unlisted_columns: 'preserve' }),
      ['tables[0].unlisted_columns: cannot be combined with "replace": "database"'],
    ],
    [
      'rules of preserved rows',
      one({ rows: 'preserve', columns: { a: { preserve: true } } }),
      ['tables[0].columns: expected the list of the preserved columns, got an object'],
    ],
    [
      'no columns of preserved rows',
      one({ rows: 'preserve' }),
      ['tables[0].columns: is required: expected the list of the preserved columns'],
    ],
    [
      'a list without preserved rows',
      one({ columns: ['a'] }),
      ['tables[0].columns: expected an object of column rules, got an array of 1'],
    ],
    [
      'a number in the list',
      one({ rows: 'preserve', columns: ['a', 7] }),
      ['tables[0].columns: expected an object of column rules, got an array of 2'],
    ],
    [
      'a name of a column that is too long',
      one({ rows: 'preserve', columns: ['x'.repeat(64)] }),
      [`tables[0].columns.${'x'.repeat(64)}: expected a column name of 1 to 63 bytes`],
    ],
    [
      'a column that is listed twice',
      one({ rows: 'preserve', columns: ['a', 'b', 'a'] }),
      ['tables[0].columns.a: is listed twice'],
    ],
    [
      'columns of an empty table',
      one({ rows: 'none', columns: { a: { preserve: true } } }),
      ['tables[0].rows: "none" cannot have columns or a subset'],
    ],
    [
      'a subset of an empty table',
      one({ rows: 'none', subset: { limit: 1 } }),
      ['tables[0].rows: "none" cannot have columns or a subset'],
    ],
    [
      'its options in a job on tables',
      { ...COMPLETE, replace: 'tables', tables: [{ name: 't', rows: 'none' }] },
      [
        'tables[0].rows: needs "replace": "database"',
        'drop_target_only: needs "replace": "database"',
        'privileges: needs "replace": "database"',
      ],
    ],
    [
      'too many tables for a job on tables',
      { tables: Array.from({ length: 1001 }, (_, i) => ({ name: `t${i}` })) },
      ['tables: expected at most 1000 tables, got an array of 1001'],
    ],
    [
      'too many tables',
      {
        replace: 'database',
        tables: Array.from({ length: 20_001 }, (_, i) => ({ name: `t${i}`, rows: 'none' })),
      },
      ['tables: expected at most 20000 tables, got an array of 20001'],
    ],
    [
      'too many columns',
      {
        replace: 'database',
        tables: Array.from({ length: 200 }, (_, i) => ({
          name: `t${i}`,
          rows: 'preserve',
          columns: COLUMNS,
        })),
      },
      ['tables: expected at most 200000 columns in all tables, got 200200'],
    ],
  ])('reports what is wrong with %s', (_, body, problems) => {
    expect(read(body).problems).toEqual(problems);
  });

  it('has the tables without rows behind those whose rows it copies, and rules for listed columns', () => {
    const { tables, unlistedColumns } = toDefinition(read(COMPLETE).request);
    expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['country', undefined],
      ['customer', undefined],
      ['log', 'none'],
    ]);
    const preserve = { preserve: true };
    expect(tables[0]?.columns).toEqual(['id', 'name'].map((name) => ({ name, rule: preserve })));
    expect(unlistedColumns).toBe('reject');
  });

  it('can be made from its definition', () => {
    const definition = toDefinition(read(COMPLETE).request);
    const { request, problems } = read(toRequest(definition));
    expect([problems, toDefinition(request)]).toEqual([[], definition]);
  });
});
