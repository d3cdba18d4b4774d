import { quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { stagingSchema } from './staging-names.js';

/**
 * Checks in the catalogs whether a staging schema exists, without opening anything in it: a table of another role may
 * have a trigger or a rule, or be a view, and would then run that role's code with the agent's rights.
 * @throws SyncJobError staging_untrusted when the schema, one of its hidden schemas or anything in it is not the role's own
 */
export async function hasStaging(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean; untrusted: boolean }>(
    `SELECT ${jobTable(schema, 'true')} AS there, ${untrusted(schema)} AS untrusted`,
  );
  if (rows[0]?.untrusted === true) throw stagingUntrusted();
  return rows[0]?.there === true;
}

/**
 * SQL that locks the table `job` until the transaction ends, and raises unless what it locked is the role's own. A lock
 * on a table of the role also keeps its name: only the role can drop or rename it, and our own drops wait for the lock.
 */
export function holdStaging(schema: string, mode: 'ACCESS SHARE' | 'ROW SHARE' | 'ROW EXCLUSIVE'): string {
  const isLocked = `EXISTS (
    SELECT FROM pg_catalog.pg_locks l WHERE l.pid = pg_catalog.pg_backend_pid() AND l.relation = c.oid AND l.locktype = 'relation')`;
  return `LOCK TABLE ONLY ${quoteIdentifier(schema)}.job IN ${mode} MODE;
    SELECT 1 / (${jobTable(schema, isLocked)} AND NOT ${untrusted(schema)})::int`;
}

/**
 * Runs statements in one round trip and one transaction that holds the staging.
 * @returns undefined when there is no staging any more, else the rows of the last statement
 * @throws SyncJobError staging_untrusted; after any error the transaction has been rolled back
 */
export async function inStaging(
  client: Client,
  schema: string,
  { mode, before = '', sql }: { mode: Parameters<typeof holdStaging>[1]; before?: string; sql: string },
): Promise<readonly Record<string, unknown>[] | undefined> {
  try {
    const results = (await client.query(
      `BEGIN; ${before} ${holdStaging(schema, mode)}; ${sql}; COMMIT`,
    )) as unknown as readonly { rows: Record<string, unknown>[] }[];
    return results.at(-2)?.rows ?? [];
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (isGone(error)) return undefined;
    throw asUntrusted(error);
  }
}

/** Whether a statement failed because the staging was removed in the meantime. */
export function isGone(error: unknown): boolean {
  return GONE.has(String((error as { code?: unknown }).code));
}

/** Whether the staging that was found is not the role's own. */
export function isUntrusted(error: unknown): boolean {
  return error instanceof SyncJobError && error.failure.code === 'staging_untrusted';
}

/** Translates what {@link holdStaging} raises. */
export function asUntrusted(error: unknown): unknown {
  return UNTRUSTED.has(String((error as { code?: unknown }).code)) ? stagingUntrusted(error) : error;
}

/** @throws SyncJobError lease_lost when the staging of this attempt has been removed · staging_untrusted */
export async function requireStaging(client: Client, jobId: string): Promise<void> {
  const held = await inStaging(client, stagingSchema(jobId), { mode: 'ACCESS SHARE', sql: 'SELECT' });
  if (held === undefined) throw new SyncJobError({ code: 'lease_lost' });
}

/** Takes away what default privileges give to other roles on the schemas that this transaction has made. */
export async function closeToOthers(client: Client, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(GRANTS, [schemas]);
  if (rows.length > 0) await client.query(rows.map(({ sql }) => sql).join('; '));
}

function stagingUntrusted(cause?: unknown): SyncJobError {
  return new SyncJobError({ code: 'staging_untrusted', side: 'target' }, { cause });
}

/** undefined_table, invalid_schema_name */
const GONE: ReadonlySet<string> = new Set(['42P01', '3F000']);
/** division_by_zero, insufficient_privilege, wrong_object_type */
const UNTRUSTED: ReadonlySet<string> = new Set(['22012', '42501', '42809']);

const ME = '(SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user)';

/** @param condition of the relation `c` */
function jobTable(schema: string, condition: string): string {
  return `EXISTS (
    SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ${quoteLiteral(schema)} AND c.relname = 'job' AND ${condition})`;
}

/** Plain tables and their indexes are all that a staging schema holds. A hidden schema holds whatever the job's tables need. */
function untrusted(schema: string): string {
  const name = quoteLiteral(schema);
  const jobIsMissing = `NOT ${jobTable(schema, 'true')}`;
  return `(EXISTS (
      SELECT FROM pg_catalog.pg_namespace n
       WHERE (n.nspname = ${name} OR pg_catalog.starts_with(n.nspname, ${quoteLiteral(`${schema}.`)})) AND n.nspowner <> ${ME})
    OR EXISTS (
      SELECT FROM pg_catalog.pg_namespace n
       WHERE n.nspname = ${name}
         AND (${jobIsMissing} OR EXISTS (SELECT FROM pg_catalog.aclexplode(n.nspacl) a WHERE a.grantee <> n.nspowner)))
    OR EXISTS (
      SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ${name}
         AND (c.relowner <> ${ME} OR c.relkind NOT IN ('r', 'i') OR c.relrowsecurity OR c.relispartition
              OR EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid)
              OR EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid)
              OR EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid = c.oid OR (h.inhparent = c.oid AND c.relkind = 'r')))))`;
}

/** $1: schemas */
const GRANTS = `
  SELECT DISTINCT pg_catalog.format('REVOKE ALL ON SCHEMA %I FROM %s', n.nspname,
           CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END) AS sql
    FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL pg_catalog.aclexplode(n.nspacl) AS a
   WHERE n.nspname = ANY ($1) AND a.grantee <> n.nspowner
`;
