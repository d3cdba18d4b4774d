import { dropWithSessions, LEDGER_COMMENT } from '@understudy/database-swap';
import {
  type Client,
  type ConnectionTarget,
  disconnect,
  type EngineLog,
  errorDetail,
  quoteTable,
} from '@understudy/postgres';
import { openJobClient } from '../../session/open-session.js';
import { hasStaging } from '../../stage/own-staging.js';
import type { BuildDatabase } from './build-database.js';

/**
 * Drops the databases that other jobs on this target have left unfinished. A database is kept for ten minutes after the
 * last activity of its job, because the job may have retries left. Logs failures, because such a database does no harm.
 * The caller must hold the lock on the target's name, so no other job builds a database now.
 * @param client a session of the agent's role in a maintenance database
 */
export async function sweepBuilds(
  client: Client,
  build: BuildDatabase,
  target: string,
  log: EngineLog,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(OTHER_BUILDS, [`${target}_understudy_`, build.name]);
  for (const { name } of rows) {
    try {
      if (!(await isActive({ ...build.target, database: name }))) {
        await dropWithSessions(client, name);
        log.info({ database: name }, 'dropped the database of an earlier job');
      }
    } catch (error) {
      log.warn(
        { database: name, detail: errorDetail(error) },
        'a database of an earlier job was not dropped',
      );
    }
  }
}

/**
 * Reads the ledger in a session of the second login, because code of the source may have changed it. Without a ledger, no
 * row has been copied.
 */
async function isActive(database: ConnectionTarget): Promise<boolean> {
  const client = await openJobClient(database, 'target');
  try {
    const { rows } = await client.query<{ schema: string }>(LEDGERS);
    for (const { schema } of rows) {
      if (!(await hasStaging(client, schema))) continue;
      const recent = await client.query(
        `SELECT FROM ${quoteTable({ schema, table: 'job' })} WHERE touched_at > now() - interval '10 minutes'`,
      );
      if (recent.rows.length > 0) return true;
    }
    return false;
  } finally {
    await disconnect(client);
  }
}

/**
 * Lists the databases that a job has claimed, and that have the name of this job's database. A name that only begins
 * like one can be that of another target. $1: the beginning of the names, $2: the database of this job. A cut name can
 * belong to another target.
 */
const OTHER_BUILDS = `
  SELECT d.datname AS name
    FROM pg_catalog.pg_database d
    JOIN pg_catalog.pg_roles r ON r.oid = d.datdba AND r.rolname = current_user
    JOIN pg_catalog.pg_db_role_setting s ON s.setdatabase = d.oid AND s.setrole = r.oid
   CROSS JOIN LATERAL pg_catalog.unnest(s.setconfig) c(setting)
   CROSS JOIN LATERAL pg_catalog.regexp_match(c.setting, '^application_name=understudy (\\w+) \\d+$') m(parts)
   WHERE d.datname = $1 || m.parts[1] AND d.datname <> $2
`;

const LEDGERS = `
  SELECT n.nspname AS schema FROM pg_catalog.pg_namespace n
   WHERE n.nspname LIKE 'understudy\\_%' AND pg_catalog.obj_description(n.oid, 'pg_namespace') LIKE '${LEDGER_COMMENT}%'
`;
