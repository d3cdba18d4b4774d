import type { DefinedSyncJob } from '@understudy/client';

import { definitionRows, describeRule, matchingRows, reasonOf } from './definition-rows.js';

const JOB: DefinedSyncJob = {
  ...{ name: 'a', unlisted_columns: 'reject', dry_run: false, seed: 1, now: '2026-01-01T00:00:00Z' },
  source: { type: 'postgresql', connection_string: null },
  target: { type: 'postgresql', connection_string: 'agent:copy' },
  tables: [
    {
      name: 'customers',
      columns: {
        email: { generator: 'template', pattern: '{{uuid}}' },
        city: { preserve: true },
        code: null,
      },
      subset: { where: null, limit: 1_500 },
    },
    { name: 'orders', columns: {}, unlisted_columns: 'null' },
  ],
};

const summary = (rows: ReturnType<typeof definitionRows>) =>
  rows.map(({ table, column, treatment, rule }) => [table, column, treatment, rule].join(' | '));

describe('definitionRows', () => {
  it('lists what happens with rows, columns and all other columns of each table', () => {
    expect(summary(definitionRows(JOB))).toEqual([
      'customers | all columns | rows | with a condition, at most 1,500 rows',
      'customers | email | masked | template {{uuid}}',
      'customers | city | kept | ',
      'customers | code | withheld | …',
      'customers | all other columns | reject | ',
      'orders | all other columns | null | ',
    ]);
  });

  it('has a different key for each row', () => {
    const keys = definitionRows(JOB).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('finds rows by table, column and rule in upper or lower case', () => {
    expect(summary(matchingRows(definitionRows(JOB), ' UUID '))).toEqual([
      'customers | email | masked | template {{uuid}}',
    ]);
    expect(matchingRows(definitionRows(JOB), 'order')).toHaveLength(1);
    expect(matchingRows(definitionRows(JOB), '')).toHaveLength(6);
  });
});

describe('describeRule', () => {
  it.each<[unknown, string]>([
    [{ generator: 'en_US/first_names' }, 'en_US/first_names'],
    [{ generator: 'en_US/cities', unique: true, nullable: 0.1 }, 'en_US/cities, unique, nullable 0.1'],
    [{ generator: 'private/a', train: { order: 4 } }, 'private/a, train {"order":4}'],
    [{ generator: 'template', pattern: null }, 'template …'],
    [{ type: 'integer', min: 1 }, 'type integer, min 1'],
    [{ json: { 'a.b': { generator: 'x' }, c: null } }, 'a.b: x; c: …'],
  ])('writes %j as %s', (rule, text) => {
    expect(describeRule(rule)).toBe(text);
  });
});

describe('reasonOf', () => {
  it.each([
    ['source.connection_string', 'Connection URL, encrypted for the agents'],
    ['tables[3].subset.where', 'Condition, which can contain a value of a row'],
    ['tables[0].columns.status', 'Constant, which can be a value of a row'],
  ])('explains why %s is withheld', (path, reason) => {
    expect(reasonOf(path)).toBe(reason);
  });
});
