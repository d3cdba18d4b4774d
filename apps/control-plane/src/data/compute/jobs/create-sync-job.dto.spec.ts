import { type FieldProblem, readSyncRequest, UNLISTED_COLUMNS } from '@understudy/sync-job';

import { readDto } from '../../../platform/http/dto/read-dto.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';

const DATABASE = { type: 'postgresql', connection_string: 'agent:db' };
const BODY = { name: 'job', source: DATABASE, target: DATABASE, tables: [{ name: 't' }] };

const [LAST_MODE = '', ...OTHER_MODES] = UNLISTED_COLUMNS.map((mode) => `"${mode}"`).toReversed();
/** The modes as a message lists them: `"a", "b" or "c"`. */
const MODES = `${OTHER_MODES.toReversed().join(', ')} or ${LAST_MODE}`;

/** Returns each problem as `field: message`. */
function problemsOf(body: object): readonly string[] {
  const read = readDto(CreateSyncJobDto, body, { root: 'body', hints: CreateSyncJobDto.hints });
  return written('problems' in read ? read.problems : []);
}

function problemsOfJobFile(body: Readonly<Record<string, unknown>>): readonly string[] {
  const problems: FieldProblem[] = [];
  readSyncRequest(body, problems);
  return written(problems);
}

const written = (problems: readonly FieldProblem[]) =>
  problems.map(({ field, message }) => `${field}: ${message}`);

describe('the request body of a sync job', () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['nothing', {}, []],
    ['all fields', { unlisted_columns: 'null', dry_run: true, seed: 7, now: '2026-01-31', name: 'x' }, []],
    [
      'a long name',
      { name: 'x'.repeat(201) },
      ['name: expected a string of 1 to 200 characters, got a string of 201 characters'],
    ],
    ['a name of 200 emoji', { name: '😀'.repeat(200) }, []],
    [
      'an empty name',
      { name: '' },
      ['name: expected a string of 1 to 200 characters, got a string of 0 characters'],
    ],
    [
      'a number as the name',
      { name: 5 },
      ['name: expected a string of 1 to 200 characters, got the number 5'],
    ],
    ['no tables', { tables: [] }, ['tables: expected at least one table, got an array of 0']],
    [
      'a text as the tables',
      { tables: 'all' },
      ['tables: expected an array of tables, got a string of 3 characters'],
    ],
    [
      'too many tables',
      { tables: Array.from({ length: 20_001 }, (_, i) => ({ name: `t${i}` })) },
      ['tables: expected at most 20000 tables, got an array of 20001'],
    ],
    [
      'items that are no tables',
      { tables: [{ name: 't' }, null, 7, 'u', ['v']] },
      [
        'tables[1]: expected objects {name, columns}',
        'tables[2]: expected objects {name, columns}',
        'tables[3]: expected objects {name, columns}',
        'tables[4]: expected objects {name, columns}',
      ],
    ],
    [
      'a table without a name',
      { tables: [{ columns: {} }] },
      ['tables[0].name: is required: expected a table name'],
    ],
    [
      'null as the name of a table',
      { tables: [{ name: null }] },
      ['tables[0].name: expected a table name, got null'],
    ],
    [
      'an unknown field of a table',
      { tables: [{ name: 't', colums: {} }] },
      ['tables[0].colums: is not a known field'],
    ],
    [
      'a list as the columns',
      { tables: [{ name: 't', columns: [7] }] },
      ['tables[0].columns: expected an object of column rules, got an array of 1'],
    ],
    [
      'the mode of a table',
      { tables: [{ name: 't', unlisted_columns: 'keep' }] },
      [`tables[0].unlisted_columns: expected ${MODES}, got a string of 4 characters`],
    ],
    ['the mode of a job', { unlisted_columns: true }, [`unlisted_columns: expected ${MODES}, got true`]],
    [
      'a number as the subset',
      { tables: [{ name: 't', subset: 5 }] },
      ['tables[0].subset: expected an object {where, limit}, got the number 5'],
    ],
    [
      'a negative limit',
      { tables: [{ name: 't', subset: { limit: -1 } }] },
      ['tables[0].subset.limit: expected an integer from 0 to 2147483648, got the number -1'],
    ],
    [
      'a limit that is too high',
      { tables: [{ name: 't', subset: { limit: 2 ** 31 + 1 } }] },
      ['tables[0].subset.limit: expected an integer from 0 to 2147483648, got the number 2147483649'],
    ],
    [
      'a condition and an unknown field of a subset',
      { tables: [{ name: 't', subset: { where: {}, order: 1 } }] },
      [
        'tables[0].subset.order: is not a known field',
        'tables[0].subset.where: expected an SQL condition, got an object',
      ],
    ],
    [
      'a text as the seed',
      { seed: '7' },
      ['seed: expected an integer from -9007199254740991 to 9007199254740991, got a string of 1 characters'],
    ],
    [
      'a seed past 53 bits',
      { seed: 2 ** 53 },
      [
        'seed: expected an integer from -9007199254740991 to 9007199254740991, got the number 9007199254740992',
      ],
    ],
    ['the lowest seed', { seed: -(2 ** 53 - 1) }, []],
    [
      'a seed below the lowest',
      { seed: -(2 ** 53) },
      [
        'seed: expected an integer from -9007199254740991 to 9007199254740991, got the number -9007199254740992',
      ],
    ],
    [
      'the mode of unlisted tables',
      { unlisted_tables: 'refuse' },
      ['unlisted_tables: expected "reject", "warn" or "ignore", got a string of 6 characters'],
    ],
    [
      'a text as the ignored tables',
      { ignored_tables: 'audit' },
      ['ignored_tables: expected an array of at most 10000 table names, got a string of 5 characters'],
    ],
    [
      'a number in the ignored tables',
      { unlisted_tables: 'warn', ignored_tables: ['audit', 7] },
      ['ignored_tables: expected an array of at most 10000 table names, got an array of 2'],
    ],
    [
      'the mode of source code',
      { source_code: 'create' },
      ['source_code: expected "omit", got a string of 6 characters'],
    ],
    [
      'the mode of orphans',
      { orphans: 'keep' },
      ['orphans: expected "fail", "skip" or "not_valid", got a string of 4 characters'],
    ],
    [
      'a text as a switch',
      { refresh_materialized_views: 'concurrently', dry_run: 'yes' },
      [
        'refresh_materialized_views: expected true or false, got a string of 12 characters',
        'dry_run: expected true or false, got a string of 3 characters',
      ],
    ],
    [
      'a date that does not exist',
      { now: '2026-02-30' },
      [
        'now: expected an ISO 8601 instant like 2026-01-31T00:00:00Z, years 1 to 9999, got a string of 10 characters',
      ],
    ],
    [
      'null in each option',
      { name: null, unlisted_columns: null, ignored_tables: null, dry_run: null, seed: null, now: null },
      [
        'name: expected a string of 1 to 200 characters, got null',
        `unlisted_columns: expected ${MODES}, got null`,
        'ignored_tables: expected an array of at most 10000 table names, got null',
        'dry_run: expected true or false, got null',
        'seed: expected an integer from -9007199254740991 to 9007199254740991, got null',
        'now: expected an ISO 8601 instant like 2026-01-31T00:00:00Z, years 1 to 9999, got null',
      ],
    ],
    [
      'several fields',
      {
        seed: 0.5,
        tables: [
          { name: 1, x: 1 },
          { name: 't', subset: { limit: 0.5 } },
        ],
      },
      [
        'tables[0].x: is not a known field',
        'tables[0].name: expected a table name, got the number 1',
        'tables[1].subset.limit: expected an integer from 0 to 2147483648, got the number 0.5',
        'seed: expected an integer from -9007199254740991 to 9007199254740991, got the number 0.5',
      ],
    ],
  ])('reports what is wrong with %s, as a job file does', (_, more, problems) => {
    expect(problemsOf({ ...BODY, ...more })).toEqual(problems);
    expect(problemsOfJobFile({ ...BODY, ...more })).toEqual(problems);
  });

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    [
      'missing fields',
      { name: undefined, source: undefined, target: undefined, tables: undefined },
      [
        'name: is required: expected a string of 1 to 200 characters',
        'source: is required: expected an object {type, connection_string}',
        'target: is required: expected an object {type, connection_string}',
        'tables: is required: expected an array of tables',
      ],
    ],
    [
      'fields that are not supported or not known',
      { webhook: 'x', schedule: 'x', sead: 7 },
      ['webhook: is not supported yet', 'schedule: is not supported yet', 'sead: is not a known field'],
    ],
    [
      'a database',
      { source: { type: 'mysql', connection_string: 5, port: 1 }, target: null },
      [
        'source.port: is not a known field',
        'source.type: expected "postgresql", got a string of 5 characters',
        'source.connection_string: expected a string, got the number 5',
        'target: expected an object {type, connection_string}, got null',
      ],
    ],
    [
      'the parts of a database',
      { source: {}, target: [{ host: 1 }] },
      [
        'target[0].host: is not a known field',
        'source.type: is required: expected "postgresql"',
        'source.connection_string: is required: expected a string',
        'target: expected an object {type, connection_string}, got an array of 1',
      ],
    ],
    [
      'an empty agent',
      { agent: {} },
      ['agent: expected an object {id, name, labels} with at least one of them, got an object'],
    ],
    [
      'a text as the agent',
      { agent: 'a' },
      [
        'agent: expected an object {id, name, labels} with at least one of them, got a string of 1 characters',
      ],
    ],
    [
      'an agent with an unknown field only',
      { agent: { role: 1 } },
      [
        'agent.role: is not a known field',
        'agent: expected an object {id, name, labels} with at least one of them, got an object',
      ],
    ],
    [
      'the parts of an agent',
      { agent: { id: 'x', name: 'é', labels: ['b c'] } },
      [
        'agent.id: expected an agent id, got a string of 1 characters',
        'agent.name: expected the name of an agent, got a string of 1 characters',
        'agent.labels: expected labels of agents',
      ],
    ],
    [
      'no labels',
      { agent: { labels: [] } },
      ['agent.labels: expected at least one label, got an array of 0'],
    ],
    [
      'too many labels',
      { agent: { labels: Array.from({ length: 17 }, () => 'x') } },
      ['agent.labels: expected at most 16 labels, got an array of 17'],
    ],
    [
      'a text as the labels',
      { agent: { labels: 'x' } },
      ['agent.labels: expected an array of labels, got a string of 1 characters'],
    ],
    [
      'an object as the tables',
      { tables: { a: 1 } },
      ['tables.a: is not a known field', 'tables: expected an array of tables, got an object'],
    ],
  ])('reports what is wrong with %s', (_, more, problems) => {
    expect(problemsOf({ ...BODY, ...more })).toEqual(problems);
  });
});
