import { type FieldProblem, isSyncJobRequest, UNLISTED_COLUMNS, UNLISTED_TABLES } from '@understudy/sync-job';
import fc from 'fast-check';

import { addColumns, addTables, changeTable, setRules } from './change-form.js';
import { checkForm, serverProblems } from './check-form.js';
import { EMPTY_FORM, type JobForm } from './job-form.js';
import { indexProblems } from './problem-index.js';
import { fromDefinition } from './read-definition.js';
import { fromRequest } from './read-request.js';
import { toRequest } from './write-request.js';

const COMPLETE: JobForm = {
  ...EMPTY_FORM,
  ...{ name: 'copy', source: 'agent:shop', target: 'agent:copy' },
  tables: [
    { id: 4, name: 'a', columns: [{ name: 'id', rule: { preserve: true } }], where: '', limit: null },
    { id: 9, name: 'b', columns: [{ name: 'odd.name', rule: { type: 'x' } }], where: '', limit: 3 },
  ],
};
const noRuleProblems = () => [];

function fieldsOf(form: JobForm): string[] {
  return checkForm(form, noRuleProblems).map(({ field }) => field);
}

describe('checkForm', () => {
  it('finds no problem in a complete form, whose request has all decisions', () => {
    expect(checkForm(COMPLETE, noRuleProblems)).toEqual([]);
    expect(toRequest(COMPLETE, { dryRun: true })).toEqual({
      name: 'copy',
      source: { type: 'postgresql', connection_string: 'agent:shop' },
      target: { type: 'postgresql', connection_string: 'agent:copy' },
      tables: [
        { name: 'a', columns: { id: { preserve: true } } },
        { name: 'b', columns: { 'odd.name': { type: 'x' } }, subset: { limit: 3 } },
      ],
      unlisted_columns: 'reject',
      dry_run: true,
    });
  });

  it('sends the options about tables only if they have an effect, and finds their problems by line', () => {
    const options = {
      unlistedTables: 'reject',
      ignoredTables: ' audit \n\n"Odd T"\n',
      refresh_materialized_views: true,
      source_code: 'omit',
    } as const;
    const form: JobForm = { ...COMPLETE, ...options };
    expect(toRequest(form, { dryRun: false })).toMatchObject({
      unlisted_tables: 'reject',
      ignored_tables: ['audit', '"Odd T"'],
      refresh_materialized_views: true,
      source_code: 'omit',
    });
    expect(toRequest({ ...form, unlistedTables: 'ignore' }, { dryRun: false })).not.toHaveProperty(
      'ignored_tables',
    );
    const wrong = checkForm({ ...form, ignoredTables: 'audit\nB.\na' }, noRuleProblems);
    expect(wrong.map(({ field, location }) => [field, location])).toEqual(
      [1, 2].map((line) => [`ignored_tables[${line}]`, { kind: 'field', field: 'ignoredTables' }]),
    );
  });

  it('sends the decisions and options of a job that replaces a database, and reads them again', () => {
    const form: JobForm = {
      ...changeTable(COMPLETE, 4, { unlistedColumns: 'preserve' }),
      ...{ replace: 'database', drop_target_only: true, source_code: 'omit', unlistedTables: 'warn' },
    };
    const empty = { id: 11, name: 'log', columns: [], where: '', limit: null, isEmpty: true };
    const request = toRequest({ ...form, tables: [...form.tables, empty] }, { dryRun: false });
    expect(request).toEqual({
      ...toRequest(COMPLETE, { dryRun: false }),
      ...{ replace: 'database', drop_target_only: true },
      tables: [...toRequest(COMPLETE, { dryRun: false }).tables, { name: 'log', rows: 'none' }],
    });
    const undecided = { ...empty, columns: [{ name: 'entry', rule: undefined }], needsWhere: true };
    expect(fieldsOf({ ...form, tables: [...form.tables, undecided] })).toEqual([]);
    expect(fieldsOf({ ...form, target: 'postgresql://u:secret@h/d' })).toEqual(['target.connection_string']);
    const listed = { name: 'b', rows: 'preserve', columns: ['id', 'x'] };
    const read = fromRequest(
      { replace: 'database', tables: [listed, { name: 'log', rows: 'none' }] },
      (name, rule) => ({
        name,
        rule,
      }),
    );
    expect(read).toMatchObject({ replace: 'database', unlistedColumns: 'reject' });
    expect(read.tables.map(({ columns, isEmpty }) => [columns.length, isEmpty])).toEqual([
      [2, undefined],
      [0, true],
    ]);
  });

  it('reports everything that is missing in an empty form', () => {
    expect(fieldsOf(EMPTY_FORM)).toEqual([
      'source.connection_string',
      'target.connection_string',
      'name',
      'tables',
    ]);
  });

  it('reports wrong names, seeds and instants with the checks of the API', () => {
    const wrong = { ...changeTable(COMPLETE, 9, { name: 'a' }), seed: 'x', now: 'soon' };
    expect(fieldsOf(wrong)).toEqual(['tables[1].name', 'seed', 'now']);
  });

  it('requires a decision for each column', () => {
    const form = setRules(COMPLETE, (_, { name }) => name === 'odd.name', undefined);
    expect(checkForm(form, noRuleProblems)).toMatchObject([
      { field: 'tables[1].columns["odd.name"]', location: { kind: 'column', column: 'odd.name' } },
    ]);
  });

  it('finds a problem in each form whose request the reader of the API refuses', () => {
    const oneOf = <T>(...usual: readonly T[]) => fc.constantFrom(...usual);
    const text = (...usual: readonly string[]) =>
      fc.oneof(
        { weight: 30, arbitrary: oneOf(...usual) },
        {
          weight: 1,
          arbitrary: oneOf('', ' ', 'x'.repeat(201), '\ud800', 'é'.repeat(40), 'a.b.c', '-0', '1e3'),
        },
        { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
      );
    const column = fc.record({
      name: text('id', 'odd.name', '__proto__', 'constructor'),
      rule: oneOf<unknown>(
        { preserve: true },
        { preserve: true },
        { type: 'uuid' },
        undefined,
        null,
        'text',
        [],
      ),
    });
    const table = fc.record({
      ...{ id: fc.nat(), name: text('a', 'b', 'S."T"'), where: text('', 'id = 1'), needsWhere: fc.boolean() },
      columns: fc.uniqueArray(column, { maxLength: 1, selector: ({ name }) => name }),
      unlistedColumns: oneOf(undefined, ...UNLISTED_COLUMNS),
      limit: fc.oneof(oneOf(null, 0, 3), oneOf(-1, 1.5, NaN, 2 ** 31 + 1)),
    });
    const form = fc.record({
      ...{ name: text('copy'), source: text('agent:shop'), target: text('postgres://h/d') },
      agent: oneOf({ name: 'a' }, { labels: ['eu', 'gpu'] }, { id: `agt_${'0'.repeat(26)}` }),
      tables: fc.uniqueArray(table, { minLength: 1, maxLength: 2, selector: ({ id }) => id }),
      unlistedColumns: oneOf(...UNLISTED_COLUMNS),
      unlistedTables: oneOf(...UNLISTED_TABLES),
      ignoredTables: text('', 'audit', 'audit\n\n log '),
      ...{ refreshMaterializedViews: fc.boolean(), omitsSourceCode: fc.boolean() },
      ...{ seed: text('', '7', ' -7 '), now: text('', '2026-11-30') },
    });
    const seen = { complete: 0, refused: 0 };
    fc.assert(
      fc.property(form, fc.boolean(), (one, dryRun) => {
        const isAccepted = isSyncJobRequest(toRequest(one, { dryRun }));
        const isComplete = checkForm(one, noRuleProblems).length === 0;
        seen.complete += Number(isComplete);
        seen.refused += Number(!isAccepted);
        return isAccepted || !isComplete;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.complete, seen.refused)).toBeGreaterThan(20);
  });

  it('gives the problems of rules to their columns', () => {
    const problems = [{ field: 'columns["odd.name"].algorithm', message: 'is required' }];
    const found = checkForm(COMPLETE, (columns) => (columns === COMPLETE.tables[1]?.columns ? problems : []));
    const index = indexProblems(found);
    expect(index.ofColumn(9, 'odd.name')).toBe('is required');
    expect([index.ofTable(4), index.ofTable(9)]).toEqual([0, 1]);
  });
});

describe('serverProblems', () => {
  const details: FieldProblem[] = [
    { field: 'source.connection_string', message: 'unknown' },
    { field: 'tables[1].columns["odd.name"].type', message: 'unknown type' },
    { field: 'tables[1].subset.where', message: 'not allowed' },
    { field: 'agent', message: 'no agent' },
  ];

  it('finds the fields, tables and columns of the problems of a response', () => {
    expect(serverProblems(details, COMPLETE, COMPLETE).map(({ location }) => location)).toMatchObject([
      { kind: 'field', field: 'source' },
      { kind: 'column', column: 'odd.name' },
      { kind: 'table', part: 'where' },
      { kind: 'form' },
    ]);
  });

  it('leaves out the problems of parts that changed since', () => {
    const changed = changeTable({ ...COMPLETE, seed: '1' }, 9, { where: 'id = 1' });
    expect(serverProblems(details, COMPLETE, changed).map(({ field }) => field)).toEqual([
      'source.connection_string',
    ]);
  });
});

describe('fromDefinition', () => {
  it('leaves the withheld parts of a copied job empty and requires them', () => {
    const form = fromDefinition({
      definition: {
        name: 'nightly',
        source: { type: 'postgresql', connection_string: null },
        target: { type: 'postgresql', connection_string: 'agent:copy' },
        tables: [
          { name: 'a', columns: { id: { preserve: true }, status: null }, subset: { where: null, limit: 5 } },
        ],
        ...{ unlisted_columns: 'null', dry_run: false, seed: 42, now: '2026-11-21T00:00:00.000Z' },
      },
      withheld: ['source.connection_string', 'tables[0].columns.status', 'tables[0].subset.where'],
    });
    expect(fieldsOf(form)).toEqual([
      'source.connection_string',
      'tables[0].subset.where',
      'tables[0].columns.status',
    ]);
    expect(form.tables[0]?.columns[1]?.note).toContain('the server does not show');
  });
});

describe('the changes of a form', () => {
  it('keep the tables that they do not concern', () => {
    const changed = setRules(COMPLETE, (_, { name }) => name === 'id', { type: 'svc' });
    expect(changed.tables[1]).toBe(COMPLETE.tables[1]);
    expect(changed.tables[0]?.columns).toEqual([{ name: 'id', rule: { type: 'svc' } }]);
  });

  it('add tables and columns once, with new ids', () => {
    const added = addColumns(addTables(COMPLETE, ['a', 'c', 'c']), 10, ['x', 'x', 'y']);
    expect(added.tables.map(({ id, name }) => [id, name])).toEqual([
      [4, 'a'],
      [9, 'b'],
      [10, 'c'],
    ]);
    expect(added.tables[2]?.columns.map(({ name }) => name)).toEqual(['x', 'y']);
  });
});
