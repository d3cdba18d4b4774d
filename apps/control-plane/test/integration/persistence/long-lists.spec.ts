import { getDataSourceToken } from '@nestjs/typeorm';
import { waitFor } from '@understudy/testing';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const ROWS = 40_000;
const ENDPOINT = `wh_${'0'.repeat(26)}`;

let plane: ControlPlane;
let agentId: string;
beforeAll(async () => {
  plane = await startControlPlane();
  // Nearly all rows belong to one organisation, so that the query planner may prefer a scan of the whole
  // table.
  const other = await plane.addOrganization();
  agentId = await plane.addAgent();
  const [ours, theirs] = [plane.orgId, other].map((id) => `'${id}'`);
  const org = `CASE WHEN i % 50 = 0 THEN ${theirs} ELSE ${ours} END`;
  const id = (prefix: string) => `'${prefix}_' || lpad(i::text, 26, '0')`;
  const at = `now() - i * interval '1 second'`;
  const rows = `FROM generate_series(1, ${ROWS}) AS i`;
  for (const statement of [
    `INSERT INTO audit_entries SELECT ${id('aud')}, ${org}, ${at}, 'token', ${id('tok')}, NULL,
      CASE WHEN i % 3 = 0 THEN 'model.uploaded' ELSE 'sync_job.created' END, 'sync_job', ${id('job')}, ${id('req')},
      '{"name": "a name of some length that a row of an audit log has"}' ${rows}`,
    `INSERT INTO api_tokens (id, organization_id, name, role, token_hash, token_hint, created_at, expires_at)
      SELECT ${id('tok')}, ${org}, 'a token', 'viewer', sha256(i::text::bytea), 'us_live_…', ${at}, now() ${rows}`,
    `INSERT INTO sync_jobs (id, organization_id, name, source_display, target_display, source, target, definition, seed,
        reference_instant, created_at)
      SELECT ${id('job')}, ${org}, 'a job', 'agent:a', 'agent:b', '{}', '{}', '{"tables": []}', i, now(), ${at} ${rows}`,
    `INSERT INTO sync_job_tables (job_id, position, name) SELECT ${id('job')}, position, 'a table' ${rows},
      generate_series(0, 2) AS position`,
    `UPDATE sync_jobs SET agent_id = '${agentId}', status = 'running', started_at = now() WHERE seed % 100 = 1`,
    `INSERT INTO webhook_endpoints (id, organization_id, url, events, sealed_secret, created_at, updated_at)
      VALUES ('${ENDPOINT}', ${ours}, 'https://example.com/', '{sync.completed}', '', now(), now())`,
    `INSERT INTO webhook_events VALUES ('evt_${'0'.repeat(26)}', ${ours}, 'sync.completed', '{}', now())`,
    `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, status, created_at)
      SELECT ${id('dlv')}, ${ours}, '${ENDPOINT}', 'evt_${'0'.repeat(26)}', 'failed', ${at} ${rows}`,
  ])
    await plane.query(statement);
  await endOfOpenTransactions();
  // A transaction that began during this wait may still see those as open.
  await endOfOpenTransactions();
  await plane.query('VACUUM ANALYZE');
});
afterAll(() => plane?.stop());

/** Waits for all transactions that are open now. VACUUM marks no row as visible that one of them may not see. */
async function endOfOpenTransactions(): Promise<void> {
  const [now] = await plane.query('SELECT clock_timestamp()::text AS now');
  await waitFor('the end of the open transactions', async () => {
    const open = await plane.query(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND xact_start < $1',
      [now?.['now']],
    );
    return open.length === 0;
  });
}

/** Sends one GET request. Returns the database queries that the server then sent for the table. */
async function queriesOf(path: string, table: string): Promise<[string, unknown[]][]> {
  const spy = jest.spyOn(Client.prototype, 'query');
  try {
    const { status } = await plane.request(path);
    expect([path, status]).toEqual([path, 200]);
    return (spy.mock.calls as unknown as [string | object, unknown[]][]).flatMap(([text, values]) =>
      typeof text === 'string' && /FROM "?(\w+)/.exec(text)?.[1] === table ? [[text, values]] : [],
    );
  } finally {
    spy.mockRestore();
  }
}

async function planOf([text, values]: [string, unknown[]]): Promise<string> {
  const dataSource = plane.app.get<DataSource>(getDataSourceToken());
  const lines = await dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, values);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe('a long list', () => {
  it('is counted and read with an index for any filter and any page', async () => {
    const aud = `tok_${'1'.padStart(26, '0')}`;
    const lists: [string, string][] = [
      ['audit_entries', '/v1/audit-log'],
      ['audit_entries', '/v1/audit-log?page=300&per_page=100'],
      ['audit_entries', '/v1/audit-log?action=model.uploaded'],
      ['audit_entries', `/v1/audit-log?actor_id=${aud}`],
      ['audit_entries', `/v1/audit-log?target_id=${aud.replace('tok', 'job')}`],
      ['audit_entries', `/v1/audit-log?request_id=${aud.replace('tok', 'req')}`],
      ['audit_entries', '/v1/audit-log?occurred_after=2026-01-01&occurred_before=2099-01-01'],
      ['audit_entries', '/v1/audit-log?occurred_after=2026-01-01&action=model.uploaded'],
      ['audit_entries', `/v1/audit-log?occurred_after=2026-01-01&actor_id=${aud}`],
      ['api_tokens', '/v1/tokens'],
      ['sync_jobs', '/v1/sync/jobs'],
      ['sync_jobs', '/v1/sync/jobs?status=pending'],
      ['sync_jobs', '/v1/sync/jobs?status=pending,running&sort=status'],
      ['sync_jobs', '/v1/sync/jobs?name=job&sort=-name&page=300'],
      ['sync_jobs', '/v1/sync/jobs?created_after=2020-01-01&created_before=2100-01-01&sort=created_at'],
      ['sync_jobs', `/v1/sync/jobs?agent_id=${agentId}&tables=none`],
      ['webhook_deliveries', `/v1/webhooks/${ENDPOINT}/deliveries`],
      ['webhook_deliveries', `/v1/webhooks/${ENDPOINT}/deliveries?status=failed`],
      ['webhook_deliveries', `/v1/webhooks/${ENDPOINT}/deliveries?status=failed&created_after=2026-01-01`],
      ['webhook_deliveries', `/v1/webhooks/${ENDPOINT}/deliveries?event=sync.completed`],
    ];
    for (const [table, path] of lists) {
      const queries = await queriesOf(path, table);
      expect([path, queries.length]).toEqual([path, expect.any(Number)]);
      expect(queries.length).toBeGreaterThanOrEqual(2);
      for (const query of queries)
        expect([path, query[0], await planOf(query)]).toEqual([
          path,
          query[0],
          expect.not.stringContaining('Seq Scan'),
        ]);
    }
  });

  it('is counted with an index-only scan', async () => {
    for (const [table, path] of [
      // Excludes sync jobs. The dispatcher updates their rows, so an index-only scan is not always possible.
      ['audit_entries', '/v1/audit-log'],
      ['audit_entries', '/v1/audit-log?occurred_after=2026-01-01'],
      ['webhook_deliveries', `/v1/webhooks/${ENDPOINT}/deliveries`],
      ['webhook_deliveries', `/v1/webhooks/${ENDPOINT}/deliveries?created_after=2026-01-01`],
    ] as const) {
      const [count] = (await queriesOf(path, table)).filter(([text]) => text.includes('COUNT('));
      if (!count) throw new Error(`${path} : expected a COUNT query`);
      expect(await planOf(count)).toContain('Index Only Scan');
    }
  });

  it('sums only the tables of the running jobs of a page', async () => {
    const sumsOf = async (path: string) => {
      const queries = await queriesOf(path, 'sync_job_tables'); // the dispatcher can add some of its own
      return queries.filter(([text]) => text.includes('sum(rows_processed)'));
    };
    const [sums, ...others] = await sumsOf('/v1/sync/jobs?per_page=100&tables=none');
    if (!sums) throw new Error('expected a query of the sums');
    expect(others).toEqual([]);
    // Two of the 100 jobs are running.
    expect(sums[1]).toEqual([['1', '101'].map((number) => `job_${number.padStart(26, '0')}`)]);
    expect(await planOf(sums)).toContain('sync_job_tables_pkey');
    expect(await sumsOf('/v1/sync/jobs?status=pending&tables=none')).toEqual([]);
  });

  it('reads no row for a page beyond the end and reports the exact total', async () => {
    const queries = await queriesOf('/v1/audit-log?page=999999999&per_page=100', 'audit_entries');
    expect(queries).toHaveLength(1);
    const { body } = await plane.request('/v1/audit-log?page=2&action=model.uploaded');
    const [row] = await plane.query(
      `SELECT count(*)::int AS n FROM audit_entries WHERE organization_id = $1 AND action = 'model.uploaded'`,
      [plane.orgId],
    );
    expect(body).toMatchObject({ data: { total: row?.['n'], entries: expect.any(Array) } });
  });
});
