import type { DashboardTest } from './dashboard-test.js';

/** A sync job as it is stored. The tests write rows, because an agent would need minutes for such jobs. */
export interface SeededJob {
  /** A number from 0, of which the id is made. */
  readonly number: number;
  readonly name: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  /** How long ago the job was created, in seconds. Default: 600. */
  readonly age?: number;
  /** How long the job ran, in seconds. Default: 90. */
  readonly seconds?: number;
  readonly tables?: readonly SeededTable[];
  /** More columns of `sync_jobs`, with objects for JSON. */
  readonly columns?: Readonly<Record<string, unknown>>;
}

export interface SeededTable {
  readonly name: string;
  readonly status?: string;
  readonly rows?: number;
  readonly rowsTotal?: number | null;
  readonly bytes?: number;
  readonly bytesTotal?: number | null;
  /** Rules by column, as in a request. */
  readonly rules?: Readonly<Record<string, unknown>>;
  readonly subset?: { readonly where?: string; readonly limit?: number };
}

export const AGENT_ID = 'agt_01K00000000000000000000001';

/** Inserts the agent that all seeded jobs name. */
export async function seedAgent(dashboard: DashboardTest): Promise<void> {
  await dashboard.organization.databases.control.query(
    `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key, last_seen_at)
     VALUES ($1, $2, 'eu-1', 'UA', sha256('key'), now()) ON CONFLICT DO NOTHING`,
    [AGENT_ID, dashboard.organization.id],
  );
}

/** Inserts a job with its tables. @returns its id */
export async function seedJob(dashboard: DashboardTest, job: SeededJob): Promise<string> {
  const { control } = dashboard.organization.databases;
  const id = `job_01K${String(job.number).padStart(23, '0')}`;
  const { age = 600, seconds = 90, tables = [] } = job;
  const created = Date.now() - age * 1_000;
  const isBegun = job.status !== 'pending';
  const isEnded = job.status === 'completed' || job.status === 'failed';
  const row: Record<string, unknown> = {
    ...{ id, organization_id: dashboard.organization.id, name: job.name, status: job.status },
    ...{ source_display: 'agent:shop', target_display: 'agent:copy' },
    source: { kind: 'agent', name: 'shop' },
    target: { kind: 'agent', name: 'copy' },
    definition: { unlistedColumns: 'preserve', tables: tables.map(definedTable) },
    ...{ seed: 42, reference_instant: '2026-01-01T00:00:00Z', created_at: new Date(created) },
    started_at: isBegun ? new Date(created + 2_000) : null,
    completed_at: isEnded ? new Date(created + 2_000 + seconds * 1_000) : null,
    rows_processed: tables.reduce((sum, { rows = 0 }) => sum + rows, 0),
    ...(isBegun && { agent_id: AGENT_ID, attempts: 1, epoch: 1 }),
    ...(job.status === 'running' && {
      leased_at: new Date(created + 2_000),
      lease_expires_at: new Date(Date.now() + 86_400_000),
      renewed_at: new Date(),
    }),
    ...job.columns,
  };
  await insertRow(dashboard, 'sync_jobs', row);
  await control.query(
    `INSERT INTO sync_job_tables
       (job_id, position, name, status, rows_processed, rows_total, bytes_processed, bytes_total)
     SELECT $1, (position - 1)::integer, t->>'name', coalesce(t->>'status', 'pending'),
       coalesce((t->>'rows')::bigint, 0), (t->>'rowsTotal')::bigint,
       coalesce((t->>'bytes')::bigint, 0), (t->>'bytesTotal')::bigint
     FROM jsonb_array_elements($2) WITH ORDINALITY AS given (t, position)`,
    [id, JSON.stringify(tables)],
  );
  return id;
}

/** Inserts a running job that builds a database. @returns its id */
export function seedBuild(dashboard: DashboardTest): Promise<string> {
  const estimatedEnd = new Date(Date.now() + 600_000).toISOString();
  const pending = { state: 'pending', done: 0, estimatedEnd: null };
  return seedJob(dashboard, {
    number: 31,
    ...{ name: 'Whole copy of the shop', status: 'running' },
    columns: {
      pace: {
        ...{ phase: 'verifying', rowsPerSecond: 0, bytesPerSecond: 0, estimatedEnd: null },
        build: [
          { phase: 'objects', state: 'completed', done: 1_204, total: 1_204, estimatedEnd: null },
          { phase: 'rows', state: 'completed', done: 48_200_911, total: 48_200_911, estimatedEnd: null },
          { phase: 'indexes', state: 'running', done: 12, total: 30, estimatedEnd },
          { ...pending, phase: 'keys', total: 18 },
          { ...pending, phase: 'views', total: 4 },
          { ...pending, phase: 'swap', total: 1 },
        ],
      },
    },
  });
}

/** Returns one attempt of a job. Its phases follow one another, each with a duration in seconds. */
export function seededAttempt(
  number: number,
  start: Date,
  phases: readonly (readonly [phase: string, seconds: number | null])[],
  end: { readonly outcome: string; readonly errorCode?: string } | null,
) {
  let at = start.getTime();
  const timed = phases.map(([phase, seconds]) => {
    const startedAt = new Date(at).toISOString();
    at += (seconds ?? 0) * 1_000;
    return { phase, startedAt, endedAt: seconds === null ? null : new Date(at).toISOString() };
  });
  return {
    ...{ number, agentId: AGENT_ID, startedAt: start.toISOString(), phases: timed },
    endedAt: end === null ? null : new Date(at).toISOString(),
    ...{ outcome: end?.outcome ?? null, errorCode: end?.errorCode ?? null },
  };
}

function definedTable({ name, rules = {}, subset }: SeededTable) {
  return {
    name,
    columns: Object.entries(rules).map(([column, rule]) => ({ name: column, rule })),
    ...(subset && { subset }),
  };
}

/** Inserts a row into the database of the control plane. @param row values by column, with objects for JSON */
export async function insertRow(
  dashboard: DashboardTest,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const columns = Object.keys(row);
  await dashboard.organization.databases.control.query(
    `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((_, at) => `$${at + 1}`).join()})`,
    Object.values(row).map(stored),
  );
}

/** Writes arrays and objects as JSON, because pg would write an array as an array of PostgreSQL. */
function stored(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;
}
