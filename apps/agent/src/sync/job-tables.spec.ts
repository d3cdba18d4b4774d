import { createHash } from 'node:crypto';

import { SyncJobError, writeTables } from '@understudy/sync-job';

import { JobTables } from './job-tables.js';

const TABLES = [{ name: 't', columns: [{ name: 'c', rule: { preserve: true } }] }];
const signal = new AbortController().signal;

function fetched(text: string, hash = createHash('sha256').update(text).digest('hex')) {
  const tables = new JobTables({ fetch: async () => Buffer.from(text) });
  return tables.fetch('job_1', { hash, byteLength: text.length }, signal);
}

describe('the tables of a job that is too large for one command', () => {
  it('are those of the request', async () => {
    await expect(fetched(writeTables(TABLES))).resolves.toEqual(TABLES);
  });

  it.each([
    ['have another hash', () => fetched(writeTables(TABLES), '0'.repeat(64))],
    ['are no JSON', () => fetched('[{"name":"t"')],
    ['are not those of a request', () => fetched('[{"name":"t","columns":7}]')],
  ])('fail the attempt if they %s', async (_, read) => {
    await expect(read()).rejects.toMatchObject({ failure: { code: 'tables_unavailable' } });
  });

  it('end with the reason why the job is stopped', async () => {
    const stop = new AbortController();
    const reason = new SyncJobError({ code: 'cancelled' });
    const tables = new JobTables({
      fetch: async () => {
        stop.abort(reason);
        throw new Error('the connection was closed');
      },
    });
    const reading = tables.fetch('job_1', { hash: '0'.repeat(64), byteLength: 1 }, stop.signal);
    await expect(reading).rejects.toBe(reason);
  });
});
