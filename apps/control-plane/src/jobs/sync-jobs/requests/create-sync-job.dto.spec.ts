import { type FieldProblem, readSyncRequest, SYNC_REQUEST_FIELDS } from '@understudy/sync-job';

import { readDto } from '../../../platform/http/dto/read-dto.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';

const DATABASE = { type: 'postgresql', connection_string: 'agent:db' };
const BODY = { name: 'job', source: DATABASE, target: DATABASE, tables: [{ name: 't' }] };

const sorted = (problems: readonly FieldProblem[]) =>
  [...problems].sort((a, b) => (a.field + a.message < b.field + b.message ? -1 : 1));

function problemsOfDto(body: object): readonly FieldProblem[] {
  const read = readDto(CreateSyncJobDto, body, { root: 'body' });
  return sorted('problems' in read ? read.problems : []);
}

function problemsOfJobFile(body: Record<string, unknown>): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const own = Object.entries(body).filter(([key]) =>
    (SYNC_REQUEST_FIELDS as readonly string[]).includes(key),
  );
  readSyncRequest(Object.fromEntries(own), problems);
  return sorted(problems);
}

describe('the request body and the job file of the command line', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a valid body', {}],
    ['all fields', { unlisted_columns: 'null', dry_run: true, seed: 7, now: '2026-01-31', name: 'x' }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['an invalid name', { name: 5 }],
    ['no tables', { tables: [] }],
    ['invalid tables', { tables: 'all' }],
    ['too many tables', { tables: Array.from({ length: 1001 }, (_, i) => ({ name: `t${i}` })) }],
    ['a table without a name', { tables: [{ columns: {} }] }],
    ['a table with an unknown field', { tables: [{ name: 't', colums: {} }] }],
    ['columns as a list', { tables: [{ name: 't', columns: ['a'] }] }],
    ['an invalid unlisted_columns of a table', { tables: [{ name: 't', unlisted_columns: 'keep' }] }],
    ['an invalid unlisted_columns', { unlisted_columns: true }],
    ['an empty name of a table', { tables: [{ name: null }] }],
    ['an invalid subset', { tables: [{ name: 't', subset: 5 }] }],
    ['an invalid limit', { tables: [{ name: 't', subset: { limit: -1 } }] }],
    ['a limit that is too high', { tables: [{ name: 't', subset: { limit: 2 ** 31 + 1 } }] }],
    ['an invalid where', { tables: [{ name: 't', subset: { where: {}, order: 1 } }] }],
    ['a seed as text', { seed: '7' }],
    ['a seed past 53 bits', { seed: 2 ** 53 }],
    ['the lowest seed', { seed: -(2 ** 53 - 1) }],
    ['a seed below the lowest', { seed: -(2 ** 53) }],
    ['an invalid unlisted_tables', { unlisted_tables: 'refuse' }],
    ['ignored tables as a text', { ignored_tables: 'audit' }],
    ['ignored tables with a number', { unlisted_tables: 'warn', ignored_tables: ['audit', 7] }],
    ['an invalid source_code', { source_code: 'create' }],
    ['an invalid refresh_materialized_views', { refresh_materialized_views: 'concurrently' }],
    ['a nonexistent date', { now: '2026-02-30' }],
    ['an invalid boolean', { dry_run: 'yes' }],
    ['several problems', { seed: 0.5, tables: [{ name: 1 }, { name: 't', subset: { limit: 0.5 } }] }],
  ])('report the same problems for %s', (_, more) => {
    expect(problemsOfJobFile({ ...BODY, ...more })).toEqual(problemsOfDto({ ...BODY, ...more }));
  });
});
