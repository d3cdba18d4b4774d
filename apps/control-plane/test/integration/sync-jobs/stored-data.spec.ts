import { FailureCode, TableState } from '@understudy/agent-protocol/schema';

import { STORED_FACTS } from '../../../src/jobs/sync-jobs/stored-data/stored-facts.js';
import type { StoredDataResponse } from '../../../src/jobs/sync-jobs/stored-data/stored-data-response.js';
import { startFakeAgent } from '../harness/fake-agent.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { fingerprint } from '../harness/test-offer.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const SECRET = 'a-constant-of-the-request';
const TABLES = 25;

/** Runs a job with 25 tables. The agent fails it with a name that it may send, and with one that is too long. */
async function failedJob() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const agent = await startFakeAgent(plane, { orgId });
  try {
    const body = {
      name: 'nightly',
      source: { type: 'postgresql', connection_string: 'postgres://u:hunter2@db.internal:5432/shop' },
      target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
      tables: Array.from({ length: TABLES }, (_, index) => ({
        name: `table_${index}`,
        columns: index === 0 ? { city: { generator: 'template', pattern: SECRET } } : {},
      })),
      seed: 7,
    };
    await agent.beat();
    const posted = await plane.request('/v1/sync/jobs', { method: 'POST', token, body });
    const jobId = (posted.body as unknown as { data: { id: string } }).data.id;
    await agent.beat();
    expect(await agent.nextCommand()).toMatchObject({ case: 'runSyncJob' });
    const tables = Array.from({ length: TABLES }, (_, tableIndex) => ({
      ...{ tableIndex, rowsProcessed: BigInt(tableIndex), rowsTotal: 100n },
      ...{ bytesProcessed: 8n, bytesTotal: 800n, state: TableState.COPYING },
    }));
    const report = (seq: number, event: object) =>
      agent.report({ case: 'syncJob', value: { jobId, epoch: 1, seq, event: event as never } });
    await report(1, { case: 'progress', value: { tables, rowsPerSecond: 30n, bytesPerSecond: 300n } });
    const code = FailureCode.TABLE_NOT_FOUND;
    const problems = [
      { code: FailureCode.COLUMN_UNLISTED, tableIndex: 1, column: { text: 'vat_number' } },
      { code: FailureCode.COLUMN_UNLISTED, tableIndex: 1, column: { text: 'x'.repeat(64) } },
    ];
    await report(2, { case: 'failed', value: { code, tableIndex: 1, problems, problemCount: 2 } });
    const response = await plane.request(`/v1/sync/jobs/${jobId}/stored-data`, { token });
    expect(response.status).toBe(200);
    const { data } = response.body as unknown as { data: StoredDataResponse };
    return { jobId, data, text: response.text, agentId: agent.id };
  } finally {
    await agent.stop();
  }
}

describe('the stored data of a job', () => {
  it('covers every column of the tables about jobs', async () => {
    const columns = await plane.query(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND (table_name IN ('sync_jobs', 'kept_databases') OR table_name IN
         (SELECT table_name FROM information_schema.columns WHERE column_name = 'job_id'))`,
    );
    const covered = new Set(STORED_FACTS.flatMap((fact) => fact.columns));
    expect(columns.map(({ name }) => name as string).sort()).toEqual([...covered].sort());
  });

  it('shows what the agent reported, and no constant or password of the request', async () => {
    const { jobId, agentId, data, text } = await failedJob();
    const valuesOf = (path: string) => data.facts.find((fact) => fact.path === path)?.values;
    expect(valuesOf('id')).toEqual([jobId]);
    expect(valuesOf('agent_id')).toEqual([agentId]);
    expect(valuesOf('seed')).toEqual(['7']);
    expect(valuesOf('last_event')).toEqual(['2']);
    expect(valuesOf('required_fingerprints')).toEqual([fingerprint('1'), fingerprint('2')]);
    expect(valuesOf('definition')).toBeNull();
    expect(valuesOf('connections')).toBeNull();
    expect(valuesOf('error.details[]')?.join()).toContain('vat_number');
    expect(text).not.toContain('x'.repeat(64));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('hunter2');
  });

  it('limits the values of a fact to 20 distinct ones and counts all', async () => {
    const { data } = await failedJob();
    const fact = (path: string) => data.facts.find((known) => known.path === path);
    const firstRows = Array.from({ length: 20 }, (_, index) => String(index));
    expect(fact('table_progress[].rows_processed')).toMatchObject({ value_count: 25, values: firstRows });
    expect(fact('table_progress[].bytes_total')).toMatchObject({ value_count: 25, values: ['800'] });
  });

  it('explains each field that agents can send by the comments of the wire schema', async () => {
    const { data } = await failedJob();
    const sqlName = data.messages.find(({ name }) => name === 'SqlName');
    expect(sqlName?.description).toContain('An identifier from a catalog of PostgreSQL, at most 63 bytes');
    expect(sqlName?.fields).toMatchObject([
      { name: 'text', kind: 'text', reviewed: expect.stringContaining('an identifier of a catalog') },
    ]);
    const names = data.messages.map(({ name }) => name);
    expect(names).toContain('Event');
    expect(names).not.toContain('SnapshotEvent');
    const choices = data.messages
      .flatMap(({ fields }) => fields)
      .filter(({ kind }) => kind === 'choice')
      .map(({ type }) => type);
    expect(new Set(data.enums.map(({ name }) => name))).toEqual(new Set(choices));
  });
});
