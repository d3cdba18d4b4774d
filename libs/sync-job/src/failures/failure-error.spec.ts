import type { Failure } from './failure.js';
import { failureError } from './failure-error.js';
import { namesOf } from './names.js';

const NAMES = namesOf({
  tables: [
    { name: 'customers', columns: [{ name: 'email' }] },
    { name: '"Odd Schema"."T"', columns: [] },
  ],
});
const details = (...problems: NonNullable<Failure['problems']>) =>
  failureError({ code: 'column_mismatch', side: 'target', problems, problemCount: problems.length }, NAMES)
    .details;

describe('failureError', () => {
  it('reports the number of problems, and each problem with its path in the request', () => {
    const error = failureError(
      {
        code: 'column_mismatch',
        side: 'target',
        tableIndex: 0,
        columnIndex: 0,
        problems: [
          {
            code: 'column_mismatch',
            tableIndex: 0,
            columnIndex: 0,
            difference: 'type',
            sourceType: { name: 'text' },
            targetType: { name: 'varchar', length: 3 },
          },
          { code: 'column_mismatch', tableIndex: 0, column: 'added one', difference: 'extra' },
          { code: 'table_not_found', side: 'source', tableIndex: 1 },
          {
            ...{ code: 'column_mismatch', tableIndex: 0, columnIndex: 0, difference: 'type' },
            ...{ sourceType: { name: 'address' }, targetType: { name: 'address' } },
          },
        ],
        problemCount: 117,
      },
      NAMES,
    );
    expect(error.code).toBe('column_mismatch');
    expect(error.message).toContain('117 problems, the first 4 in details');
    expect(error.details).toEqual([
      {
        field: 'tables[0].columns.email',
        message: expect.stringContaining(
          "the column (varchar(3)) cannot hold every value of the source's type (text).",
        ) as string,
      },
      {
        field: 'tables[0].columns["added one"]',
        message: expect.stringContaining("that the source's table does not have") as string,
      },
      {
        field: 'tables[1]',
        message: expect.stringContaining('does not exist in the source database') as string,
      },
      {
        field: 'tables[0].columns.email',
        message: expect.stringContaining(
          "the source's type (address). The types have the same name, but another definition or modifier.",
        ) as string,
      },
    ]);
  });

  it.each([
    ['source', 'view', 'is a view in the source database', 'Remove it from the job'],
    ['target', 'foreign_table', 'is a foreign table in the target database', 'Drop it or rename it'],
    ['source', 'a_kind_of_a_newer_agent', 'is no table in the source database', 'Remove it from the job'],
  ] as const)('names the kind of a relation of the %s that is no table: %s', (side, kind, what, remedy) => {
    const problem = { code: 'not_a_table', side, tableIndex: 0 };
    const { message, details } = failureError(
      { ...problem, problems: [{ ...problem, relationKind: kind }], problemCount: 1 },
      NAMES,
    );
    expect(message).toContain(`Table "customers" ${what}`);
    expect(message).toContain(remedy);
    expect(details).toEqual([{ field: 'tables[0]', message }]);
  });

  it('names the constraint that the rows would violate, and its column', () => {
    const problem = {
      code: 'constraint_violation',
      side: 'target',
      tableIndex: 0,
      constraintKind: 'check',
    } as const;
    const named = { ...problem, column: 'age', constraint: 'adult "or" so' };
    const error = failureError({ ...problem, problems: [named], problemCount: 1 }, NAMES);
    const where =
      'The new rows of column "age" of table "customers" break the check constraint "adult \\"or\\" so" of the target.';
    expect(error.message).toContain(where);
    expect(error.details).toEqual([
      { field: 'tables[0].columns.age', message: expect.stringContaining(where) as string },
    ]);
    const nameless = failureError(problem, NAMES).message;
    expect(nameless).toContain('break a check constraint or the bounds of all partitions of the target.');
    expect(nameless).toContain('If a partition for the rows is missing, create it on the target.');
    expect(failureError({ ...problem, constraintKind: 'exclusion' }, NAMES).message).toContain(
      'break an exclusion constraint of',
    );
  });

  it.each([
    [
      'select',
      { privilege: 'select', objectKind: 'table', role: 'ro"le' },
      'GRANT SELECT ON TABLE customers TO "ro""le";',
    ],
    [
      'usage',
      { privilege: 'usage', objectKind: 'schema', schema: 'Odd', role: 'r' },
      'GRANT USAGE ON SCHEMA "Odd" TO "r";',
    ],
    [
      'create',
      { privilege: 'create', objectKind: 'database', object: 'd', role: 'r' },
      'GRANT CREATE ON DATABASE "d" TO "r";',
    ],
    [
      'ownership',
      { privilege: 'ownership', objectKind: 'sequence', schema: 's', object: 'q', role: 'r', owner: 'o' },
      'GRANT "o" TO "r";',
    ],
    [
      'row security',
      { privilege: 'bypass_row_security', objectKind: 'table', role: 'r' },
      'ALTER ROLE "r" BYPASSRLS;',
    ],
  ])('contains SQL to paste for a missing privilege: %s', (_, privilege, sql) => {
    const [detail] = details({ code: 'permission_denied', side: 'source', tableIndex: 0, privilege }) ?? [];
    expect(detail?.field).toBe('tables[0]');
    expect(detail?.message).toContain(sql);
  });

  it('names the role whose schema is in the way, and promises nothing about other jobs on the target', () => {
    const problem = { code: 'staging_untrusted', side: 'target', objectRole: 'r' } as const;
    const { message } = failureError({ ...problem, problems: [problem], problemCount: 1 }, NAMES);
    expect(message).toContain('role "r" owns it or may change it.');
    expect(message).toContain('can create such a schema for each job on this target');
    expect(message).not.toContain('not affected');
  });

  it('writes a placeholder into the SQL for each name that the agent does not report', () => {
    const privilege = { privilege: 'usage', objectKind: 'schema' };
    const [lack, extra] =
      details(
        { code: 'permission_denied', side: 'target', privilege },
        { code: 'column_mismatch', tableIndex: 1, difference: 'extra' },
      ) ?? [];
    expect(lack?.field).toBe('target.connection_string');
    expect(lack?.message).toContain('GRANT USAGE ON SCHEMA <schema> TO <role of the connection>;');
    expect(extra).toEqual({ field: 'tables[1]', message: expect.stringContaining('has a column') as string });
  });

  it('adds the path in the request to a failure without a list of problems', () => {
    expect(failureError({ code: 'rule_invalid', tableIndex: 0, columnIndex: 0 }, NAMES).details).toEqual([
      { field: 'tables[0].columns.email', message: expect.any(String) as string },
    ]);
    expect(failureError({ code: 'connection_failed', side: 'source' }, NAMES).details).toEqual([]);
  });
});
