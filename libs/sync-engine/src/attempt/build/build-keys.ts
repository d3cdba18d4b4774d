import { isOrphanFailure, mayKeep, orphansFound } from '../../stage/foreign-keys/create-key.js';
import {
  markKey,
  readStagedKeys,
  type KeyState,
  type StagedKey,
} from '../../stage/foreign-keys/staged-key.js';
import { rollBackAndThrow } from '../../stage/claim-epoch.js';
import { fence, touch } from '../../stage/ledger/ledger-tables.sql.js';
import { runTasks } from '../../session/job-sessions.js';
import type { LocatedClient } from '../../session/located-client.js';
import type { JobDatabases, PreparedJob, RunningJob } from '../running-job.js';
import { checkLateKeys } from './check-late-keys.js';

/**
 * Creates and validates the foreign keys between created tables and replacements. Their rows are final, so the
 * switch need not check them while other sessions wait. Looks for rows that break the other keys, if such rows fail the
 * job. Call it when all indexes are built.
 * @throws SyncJobError orphans_found, constraint_broken_by_rule, or another failure after all tasks have stopped
 */
export async function buildKeys(
  job: RunningJob,
  prepared: PreparedJob,
  databases: JobDatabases,
  signal: AbortSignal,
): Promise<void> {
  const { command, contexts, environment, meter } = job;
  meter.build?.enter('keys');
  const { client } = databases.target;
  const keys = await readStagedKeys(client, command.jobId);
  const early = keys.filter(({ isEarly }) => isEarly);
  const context = { plans: prepared.plans, orphans: command.orphans ?? 'fail' } as const;
  const record = async (on: LocatedClient, some: readonly StagedKey[], sql: Sql, state: KeyState) => {
    try {
      await on.query('BEGIN; SET LOCAL synchronous_commit = off');
      for (const key of some) {
        const onTable = on.at(key.tableIndex).with({ otherwise: 'create_failed' });
        await onTable.query(`${sql(key)}; ${markKey(command.jobId, key, state)}`).catch((error: unknown) => {
          throw orphansFound(error, key, context.plans);
        });
      }
      await on.query(
        `${fence(command.jobId, command.epoch)}; COMMIT; ${touch(command.jobId, command.epoch)}`,
      );
    } catch (error) {
      await rollBackAndThrow(on.plain, command, error);
    }
    for (const { tableIndex, validating } of some)
      if (state !== 'added' || validating === '') meter.build?.completed('keys', tableIndex);
  };
  const validate = async (on: LocatedClient, key: StagedKey) => {
    try {
      await record(on, [key], ({ validating }) => validating, 'validated');
    } catch (error) {
      if (!isOrphanFailure(error) || !mayKeep(key, context)) throw error;
      environment.log.warn({ key: key.name, table: key.tableIndex }, 'a foreign key stays NOT VALID');
      await record(on, [key], () => 'SELECT', 'kept_not_valid');
    }
  };
  // One session adds all keys, because two would wait for each other if their tables reference each other.
  const open = early.filter(({ state }) => state === 'open');
  for (let from = 0; from < open.length; from += BATCH)
    await record(client, open.slice(from, from + BATCH), ({ adding }) => adding, 'added');
  const waiting = early.filter(
    ({ state, validating }) => (state === 'open' || state === 'added') && validating !== '',
  );
  const tables = [...new Set(waiting.map(({ tableIndex }) => tableIndex))];
  // VALIDATE CONSTRAINT excludes itself on the same table.
  await runTasks({
    tasks: tables.map((table) => waiting.filter(({ tableIndex }) => tableIndex === table)),
    connections: databases.room.connections,
    open: async () => contexts.locate(await databases.open.target()),
    run: async (on, some) => {
      for (const key of some) await validate(on, key);
    },
    signal,
  });
  if (context.orphans === 'fail') await checkLateKeys(job, prepared, databases, early, signal);
}

/** The number of keys that one transaction adds. It locks both tables of each. */
const BATCH = 100;

type Sql = (key: StagedKey) => string;
