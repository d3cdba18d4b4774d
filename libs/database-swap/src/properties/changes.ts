import {
  type Client,
  connect,
  type ConnectionTarget,
  disconnect,
  quoteIdentifier,
  quoteLiteral,
} from '@understudy/postgres';
import { SESSION_NAME } from '../server-session.js';

const SETTING = 'application_name';
const OWN_VALUE_PREFIX = 'understudy ';
/** Agents of earlier versions record only restores. */
const CHANGES_PREFIX = `${OWN_VALUE_PREFIX}restored `;

/** Text with which the settings of all records and claims begin. They are no properties of a database. */
export const OWN_PREFIX = `${SETTING}=${OWN_VALUE_PREFIX}`;

/**
 * Reads the ids of the last changes of a database, with the latest at the end. Changes are jobs, restores and reverts
 * that have replaced it, and jobs on its tables that were complete when it was replaced. An attempt at a change that
 * finds its own id has nothing to do, even if a later change has replaced its result and its ledger. Some of the ids are
 * entries of {@link keptOid}.
 *
 * The record is the default `application_name` of the agent's own role in the database. The transaction that renames a
 * database can write it, because all databases share its catalog. It does not affect sessions of other roles, and it is
 * dropped with the database. Any role can write such a setting, so only roles that may rename the database count.
 */
export async function readChanges(client: Client, database: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(CHANGES, [database, `${SETTING}=${CHANGES_PREFIX}`]);
  return rows.map(({ id }) => id);
}

/** Returns the statement that records a change. @param earlier the changes before it. The last of them are kept */
export function recordChange(database: string, change: string, earlier: readonly string[]): string {
  const ids = [...new Set(earlier)].filter((id) => id !== change && CHANGE_ID.test(id));
  const value = [...ids.slice(-MAX_EARLIER), change].join(' ');
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)}
     SET ${SETTING} TO ${quoteLiteral(`${CHANGES_PREFIX}${value}`)}`;
}

/**
 * More than one change in ten minutes for half a day, each with {@link keptOid}. After that time, no attempt at an
 * earlier change follows.
 */
const MAX_EARLIER = 200;
const CHANGE_ID = /^\w{1,40}$/;

/**
 * Returns an entry of the record with the oid of the database that a change replaces. It is before the id of the change,
 * and agents of earlier versions treat it as the id of an earlier one.
 */
export function keptOid(change: string, oid: string): string {
  return `${change}_${Number(oid).toString(OID_RADIX)}`;
}

/** Returns the oids of the databases that changes have replaced, by the change. Agents of earlier versions record none. */
export function keptOids(changes: readonly string[]): ReadonlyMap<string, string> {
  const entries = changes.flatMap((change) => {
    const entry = changes.findLast((one) => one.startsWith(`${change}_`));
    if (entry === undefined) return [];
    return [[change, String(parseInt(entry.slice(change.length + 1), OID_RADIX))] as const];
  });
  return new Map(entries);
}

/** With an id of 30 characters, the entry is as short as an id must be. */
const OID_RADIX = 36;

/** Returns the comment on the schema that contains the ledger of a job. */
export function ledgerComment(jobId: string): string {
  return `${LEDGER_COMMENT}${jobId}. Kept until its end is confirmed; safe to drop when no agent works on it.`;
}

export const LEDGER_COMMENT = 'Staging of the Understudy job ';

/**
 * Reads the ids of the jobs on tables that are complete, and whose ledgers are in the database. If it is replaced, their
 * ledgers are gone. Reads only catalogs, because the ledgers of incomplete jobs have more tables. Returns none for a
 * database that its administrator has closed to the role. Such a database must be replaceable, too.
 * @param server a session in another database
 * @throws DatabaseError if no session can be opened in the database
 */
export async function readCompletedJobs(
  server: Client,
  target: ConnectionTarget,
): Promise<readonly string[]> {
  if ((await server.query(IS_CLOSED, [target.database])).rows.length > 0) return [];
  const client = await connect(target, 'target', SESSION_NAME);
  try {
    const { rows } = await client.query<{ id: string }>(COMPLETED_JOBS, [LEDGER_COMMENT]);
    return rows.map(({ id }) => id);
  } finally {
    await disconnect(client);
  }
}

/**
 * A database can have records of several roles, if agents use different ones. Each record has the changes before it, so
 * the latest change is last in each record that contains it. $1: name of the database, $2: the beginning of the setting.
 */
const CHANGES = `
  SELECT i.id
    FROM pg_catalog.pg_db_role_setting s
    JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
    JOIN pg_catalog.pg_roles r ON r.oid = s.setrole
   CROSS JOIN LATERAL pg_catalog.unnest(s.setconfig) c(setting)
   CROSS JOIN LATERAL pg_catalog.string_to_array(pg_catalog.substr(c.setting, pg_catalog.length($2) + 1), ' ') l(ids)
   CROSS JOIN LATERAL pg_catalog.unnest(l.ids) WITH ORDINALITY i(id, n)
   WHERE d.datname = $1 AND pg_catalog.starts_with(c.setting, $2) AND pg_catalog.pg_has_role(r.oid, d.datdba, 'MEMBER')
   GROUP BY i.id ORDER BY max(pg_catalog.cardinality(l.ids) - i.n) DESC
`;

/** Selects a row if the database $1 admits no session of the role. */
const IS_CLOSED = `
  SELECT FROM pg_catalog.pg_database d JOIN pg_catalog.pg_roles r ON r.rolname = current_user
   WHERE d.datname = $1 AND (NOT d.datallowconn OR d.datconnlimit = 0 AND NOT r.rolsuper)
`;

/** $1: the beginning of the comments. Only ledgers of roles that may rename the database count. */
const COMPLETED_JOBS = `
  SELECT m.parts[1] AS id
    FROM pg_catalog.pg_namespace n
    JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()
   CROSS JOIN LATERAL pg_catalog.regexp_match(pg_catalog.obj_description(n.oid, 'pg_namespace'), '^' || $1 || '(\\w{1,40})\\. ') m(parts)
   WHERE m.parts IS NOT NULL AND pg_catalog.pg_has_role(n.nspowner, d.datdba, 'MEMBER')
     AND EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'job')
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'chunk_logged')
`;
