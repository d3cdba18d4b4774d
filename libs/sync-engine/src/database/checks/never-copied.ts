import { type Client, HAS_LARGE_OBJECTS, sqlNames } from '@understudy/postgres';
import { type DatabaseSide, type SyncJobCommand, SyncJobError, type SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import type { ExcludedObject } from '../../plan/exclude/excluded-objects.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { LocatedClient } from '../../session/located-client.js';

export interface UndecidedRequest extends Pick<SyncEnvironment, 'policy'> {
  /** The objects that the job leaves out. */
  readonly excluded: readonly ExcludedObject[];
}

/**
 * Refuses a source with large objects, unless the job copies or skips them. Refuses one with foreign servers, unless the
 * policy allows them, because their options can contain passwords and addresses. A foreign table that is a partition is
 * always refused: rows of the job would be written to the other server.
 * @throws SyncJobError large_objects_refused, foreign_servers_refused, foreign_partition
 */
export async function refuseUndecided(
  { largeObjects = 'fail' }: SyncJobCommand,
  source: LocatedClient,
  { excluded, policy }: UndecidedRequest,
): Promise<void> {
  const addresses = excluded.map(({ address }) => address);
  const { rows: servers } = await source.query(FOREIGN_SERVERS, [addresses]);
  if (servers.length > 0 && !policy.rules.allowForeignServers)
    throw new SyncJobError({ code: 'foreign_servers_refused', side: 'source' });
  const { rows: partitions } = await source.query<{ schema: string; name: string }>(FOREIGN_PARTITIONS, [
    addresses,
  ]);
  const problems = new ProblemList();
  for (const names of partitions) {
    const object = { kind: 'relation' as const, ...sqlNames(names) };
    problems.add({ code: 'foreign_partition', side: 'source', object });
  }
  problems.throwIfAny();
  if (largeObjects !== 'fail') return;
  const { rows } = await source.query<{ found: boolean }>(HAS_LARGE_OBJECTS);
  if (rows[0]?.found === true) throw new SyncJobError({ code: 'large_objects_refused', side: 'source' });
}

/** $1: the addresses of left out objects. */
const FOREIGN_SERVERS = `
  SELECT FROM pg_catalog.pg_foreign_server s
   WHERE 'pg_catalog.pg_foreign_server'::regclass::oid || ' ' || s.oid <> ALL ($1::text[]) LIMIT 1
`;

/** $1: the addresses of left out objects. */
const FOREIGN_PARTITIONS = `
  SELECT n.nspname AS schema, c.relname AS name
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'f' AND c.relispartition AND 'pg_catalog.pg_class'::regclass::oid || ' ' || c.oid <> ALL ($1::text[])
   ORDER BY c.oid
`;

/** Returns a warning for each kind of objects of the source that the job does not copy. */
export async function neverCopied(
  { publications = 'none' }: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<readonly SyncWarning[]> {
  const { rows } = await source.query<Record<(typeof KINDS)[number], number>>(NEVER_COPIED);
  const [row] = rows;
  const copied: ReadonlySet<string> = new Set([
    ...(publications === 'source' ? ['publications_not_copied'] : []),
    ...((await mayCommentOnPublic(target)) ? ['public_comment_not_copied'] : []),
  ]);
  return KINDS.flatMap((code) =>
    row === undefined || row[code] === 0 || copied.has(code) ? [] : [{ code, count: row[code] }],
  );
}

/** Before PostgreSQL 15, the schema `public` of a new database belongs to a superuser, and only owners can comment. */
export async function mayCommentOnPublic(target: Client): Promise<boolean> {
  const { rows } = await target.query<{ may: boolean }>(
    "SELECT pg_catalog.current_setting('server_version_num')::int4 >= 150000 AS may",
  );
  return rows[0]?.may === true;
}

const KINDS = [
  'subscriptions_not_copied',
  'publications_not_copied',
  'security_labels_not_copied',
  'user_mappings_not_copied',
  'public_comment_not_copied',
] as const;

/** A role that is no superuser can read these columns. */
const NEVER_COPIED = `
  SELECT (SELECT count(*) FROM pg_catalog.pg_subscription
           WHERE subdbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()))::int4
           AS subscriptions_not_copied,
         (SELECT count(*) FROM pg_catalog.pg_publication)::int4 AS publications_not_copied,
         (SELECT count(*) FROM pg_catalog.pg_seclabel)::int4 AS security_labels_not_copied,
         (SELECT count(*) FROM pg_catalog.pg_user_mappings)::int4 AS user_mappings_not_copied,
         (SELECT count(*) FROM pg_catalog.pg_namespace
           WHERE nspname = 'public' AND pg_catalog.obj_description(oid, 'pg_namespace') IS DISTINCT FROM 'standard public schema')::int4
           AS public_comment_not_copied
`;
