import { randomBytes } from 'node:crypto';
import { type Client, sqlstateOf } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { driverError, isOfServer } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';
import { mayStage } from './preflight.js';

/**
 * Checks that the target accepts changes. If the target has event triggers, creates, changes and drops a table in a
 * transaction that is rolled back, because only a try shows what a trigger refuses.
 * @returns the functions of the enabled event triggers, as errors name them
 * @throws SyncJobError target_in_recovery, target_read_only, event_trigger_refused
 */
export async function requireWritable(target: LocatedClient): Promise<readonly string[]> {
  const { rows } = await target.query<TargetState>(READ_STATE);
  const side = 'target';
  const [state] = rows;
  if (state?.is_standby === true) throw new SyncJobError({ code: 'target_in_recovery', side });
  if (state?.is_read_only === true) throw new SyncJobError({ code: 'target_read_only', side });
  // If the role may not create a schema, the preflight reports this together with all other problems.
  const eventTriggers = state?.event_triggers ?? [];
  if (eventTriggers.length > 0 && (await mayStage(target))) {
    await tryDefinitions(target);
  }
  return eventTriggers;
}

/** Returns whether an event trigger of the database can run in this session. */
export async function hasEventTriggers(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT FROM pg_catalog.pg_event_trigger WHERE evtenabled <> 'D' LIMIT 1",
  );
  return rows.length > 0;
}

interface TargetState {
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  readonly event_triggers: readonly string[];
}

const READ_STATE = `
  SELECT pg_catalog.pg_is_in_recovery() AS is_standby,
         pg_catalog.current_setting('default_transaction_read_only')::bool AS is_read_only,
         ARRAY(SELECT prefix || pg_catalog.quote_ident(p.proname) || '()'
                 FROM pg_catalog.pg_event_trigger e JOIN pg_catalog.pg_proc p ON p.oid = e.evtfoid
                 JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
                -- An error leaves out a schema that is on the search path.
                CROSS JOIN LATERAL (VALUES (''), (pg_catalog.quote_ident(n.nspname) || '.')) AS schema (prefix)
                WHERE e.evtenabled <> 'D') AS event_triggers
`;

/** The kinds of statements with which a job stages, switches and removes tables. */
async function tryDefinitions(client: LocatedClient): Promise<void> {
  const schema = `understudy_try_${randomBytes(8).toString('hex')}`;
  await client.query('BEGIN');
  try {
    await client.query(`
      CREATE SCHEMA ${schema}; CREATE SCHEMA "${schema}.1";
      CREATE TABLE ${schema}.t (id int NOT NULL, other int); CREATE UNLOGGED TABLE ${schema}.u (LIKE ${schema}.t);
      CREATE UNIQUE INDEX i ON ${schema}.t (id); ALTER TABLE ${schema}.t ADD PRIMARY KEY USING INDEX i;
      ALTER TABLE ${schema}.t ADD FOREIGN KEY (other) REFERENCES ${schema}.t;
      ALTER TABLE ${schema}.t SET SCHEMA "${schema}.1"; ANALYZE "${schema}.1".t; TRUNCATE "${schema}.1".t;
      DROP TABLE "${schema}.1".t RESTRICT; DROP SCHEMA ${schema}, "${schema}.1" CASCADE`);
  } catch (error) {
    if (isOfServer(sqlstateOf(error))) throw error;
    const cause = driverError(error);
    throw new SyncJobError({ code: 'event_trigger_refused', side: 'target' }, { cause });
  } finally {
    // If the session is lost, the next statement reports it.
    await client.query('ROLLBACK').catch(() => undefined);
  }
}
