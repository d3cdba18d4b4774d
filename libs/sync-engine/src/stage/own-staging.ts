import { quoteIdentifier, quoteLiteral, sqlNames, sqlstateOf, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { driverError } from '../session/guard.js';
import { stagingSchema } from './staging-names.js';

/**
 * Returns whether a staging schema exists. It reads only catalogs. A statement on another role's relation would be
 * unsafe, because a trigger, a rule or a view could run that role's code with the agent's rights.
 * @throws SyncJobError staging_untrusted if the schema or an object in it does not belong to the role, or if the
 * schema does not exist yet and another role has a hidden schema of the job
 */
export async function hasStaging(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean; untrusted: boolean }>(
    `SELECT ${jobTable(schema, 'true')} AS there,
            ${untrusted(schema)} OR (NOT ${jobTable(schema, 'true')} AND ${hasHiddenOfOthers(schema)}) AS untrusted`,
  );
  if (rows[0]?.untrusted === true) throw await stagingUntrusted(client, schema);
  return rows[0]?.there === true;
}

/**
 * Returns SQL that locks the table `job` until the transaction ends, so that no session can drop or rename it. The
 * SQL fails if the staging does not belong to the role.
 */
export function holdStaging(schema: string, mode: 'ACCESS SHARE' | 'ROW SHARE' | 'ROW EXCLUSIVE'): string {
  const isLocked = `EXISTS (
    SELECT FROM pg_catalog.pg_locks l WHERE l.pid = pg_catalog.pg_backend_pid() AND l.relation = c.oid AND l.locktype = 'relation')`;
  return `LOCK TABLE ONLY ${quoteIdentifier(schema)}.job IN ${mode} MODE;
    SELECT 1 / (${jobTable(schema, isLocked)} AND NOT ${untrusted(schema)})::int`;
}

/**
 * Runs statements in one transaction that locks the staging. Costs one round trip.
 * @returns the rows of the last statement; undefined if the staging has been removed
 * @throws SyncJobError staging_untrusted · PostgreSQL's own errors. Before it throws, the transaction is rolled back.
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
    throw await asUntrusted(client, schema, error);
  }
}

/** Returns the names of the hidden schemas that belong to the role. Other roles' schemas with such names do no harm. */
export async function ownHiddenSchemas(client: Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT n.nspname AS name FROM pg_catalog.pg_namespace n WHERE ${isHidden(schema)} AND n.nspowner = ${ME}`,
  );
  return rows.map(({ name }) => name);
}

/** Returns true if a statement failed because the staging had been removed. */
export function isGone(error: unknown): boolean {
  return GONE.has(String(sqlstateOf(error)));
}

/** Returns true for the error `staging_untrusted`: the staging belongs to another role. */
export function isUntrusted(error: unknown): boolean {
  return error instanceof SyncJobError && error.failure.code === 'staging_untrusted';
}

/**
 * Converts an error that the SQL of {@link holdStaging} raises for the staging of another role to the error
 * `staging_untrusted`. Returns other errors unchanged. Call it after the transaction has ended.
 */
export async function asUntrusted(client: Client, schema: string, error: unknown): Promise<unknown> {
  const isOfOthers = UNTRUSTED.has(String(sqlstateOf(error)));
  return isOfOthers ? stagingUntrusted(client, schema, driverError(error)) : error;
}

/**
 * Checks that the staging of this attempt still exists.
 * @throws SyncJobError lease_lost if it has been removed · staging_untrusted
 */
export async function requireStaging(client: Client, jobId: string): Promise<void> {
  const held = await inStaging(client, stagingSchema(jobId), { mode: 'ACCESS SHARE', sql: 'SELECT' });
  if (held === undefined) throw new SyncJobError({ code: 'lease_lost' });
}

/** Revokes the rights that other roles got on schemas by ALTER DEFAULT PRIVILEGES. */
export async function closeToOthers(client: Client, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(GRANTS, [schemas]);
  if (rows.length > 0) await client.query(rows.map(({ sql }) => sql).join('; '));
}

/** Makes the role the owner of the tables in the staging schema that an event trigger gave to another role. */
export async function takeOwnership(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(TABLES_OF_OTHERS, [schema]);
  if (rows.length > 0) await client.query(rows.map(({ sql }) => sql).join('; '));
}

/** Describes a staging that the agent cannot trust, with the schema and a role that owns it or may change it. */
async function stagingUntrusted(client: Client, schema: string, cause?: unknown): Promise<SyncJobError> {
  const failure = { code: 'staging_untrusted', side: 'target' } as const;
  // If the schema has been removed since, the failure contains only the code.
  const { rows } = await client.query<{ name: string; role: string }>(othersIn(schema));
  const [found] = rows;
  if (found === undefined) return new SyncJobError(failure, { cause });
  const object = { kind: 'schema' as const, ...sqlNames({ name: found.name }) };
  const problem = { ...failure, object, ...sqlNames({ objectRole: found.role }) };
  return new SyncJobError({ ...failure, problems: [problem], problemCount: 1 }, { cause });
}

/** The SQLSTATEs of statements on a staging that has been removed: undefined_table and invalid_schema_name. */
const GONE: ReadonlySet<string> = new Set(['42P01', '3F000']);
/**
 * The SQLSTATEs of statements on the staging of another role: division_by_zero, insufficient_privilege and
 * wrong_object_type.
 */
const UNTRUSTED: ReadonlySet<string> = new Set(['22012', '42501', '42809']);

const ME = '(SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user)';

/**
 * Returns SQL that is true if the table `job` exists and satisfies a condition. @param condition SQL on the
 * pg_class row `c`
 */
function jobTable(schema: string, condition: string): string {
  return `EXISTS (
    SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ${quoteLiteral(schema)} AND c.relname = 'job' AND ${condition})`;
}

/**
 * Returns SQL that is true if the agent cannot trust the staging. The agent trusts it if the role owns the
 * staging schema, and no other role has rights on it. In addition, the staging schema must contain the table
 * `job`, and nothing except plain tables and indexes of the role. The tables must have no triggers, rules, row
 * security, parent tables or child tables. The hidden schemas are created together with the table `job`, so they
 * belong to the role too.
 */
function untrusted(schema: string): string {
  const name = quoteLiteral(schema);
  const jobIsMissing = `NOT ${jobTable(schema, 'true')}`;
  return `(EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = ${name} AND n.nspowner <> ${ME})
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

/** Returns SQL that is true if another role owns a schema with the name of a hidden schema. */
function hasHiddenOfOthers(schema: string): string {
  return `EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE ${isHidden(schema)} AND n.nspowner <> ${ME})`;
}

/** Returns a condition on the pg_namespace row `n`. */
function isHidden(schema: string): string {
  return `pg_catalog.starts_with(n.nspname, ${quoteLiteral(`${schema}.`)})`;
}

/**
 * Returns SQL that selects the first schema of the staging on which another role has rights, and that role. If there
 * is none, it selects the staging schema and its owner.
 */
function othersIn(schema: string): string {
  return `
    SELECT n.nspname AS name, CASE o.role WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(o.role) END AS role
      FROM pg_catalog.pg_namespace n
     CROSS JOIN LATERAL (
       SELECT n.nspowner AS role
       UNION ALL SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND n.nspname = ${quoteLiteral(schema)}
       UNION ALL SELECT a.grantee FROM pg_catalog.aclexplode(n.nspacl) a) o
     WHERE n.nspname = ${quoteLiteral(schema)} OR ${isHidden(schema)}
     ORDER BY o.role = ${ME}, n.nspname, o.role = 0 LIMIT 1`;
}

/**
 * Generates statements that revoke all rights on schemas from every role except the owner. $1: the schemas.
 */
const GRANTS = `
  SELECT DISTINCT pg_catalog.format('REVOKE ALL ON SCHEMA %I FROM %s', n.nspname,
           CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END) AS sql
    FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL pg_catalog.aclexplode(n.nspacl) AS a
   WHERE n.nspname = ANY ($1) AND a.grantee <> n.nspowner
`;

/** Generates statements that make the role the owner of tables of others. $1: the schema. */
const TABLES_OF_OTHERS = `
  SELECT pg_catalog.format('ALTER TABLE %I.%I OWNER TO CURRENT_USER', n.nspname, c.relname) AS sql
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relowner <> ${ME}
`;
