import {
  advanceSequences,
  findSequences,
  keyOfSequence,
  quoteTable,
  readPositions,
} from '@understudy/postgres';
import type { SyncJobResult, SyncWarning, TableName, VerificationCheck } from '@understudy/sync-job';
import {
  type CopiedJob,
  type JobDatabases,
  type RunningJob,
  truncationWarnings,
} from '../../attempt/running-job.js';
import { logNames } from '../../local-names.js';
import { countByKind, findLeftOut, namesOfLeftOut } from '../../plan/preflight/left-out.js';
import type { LocatedClient } from '../../session/located-client.js';
import { rollBackAndThrow } from '../../stage/claim-epoch.js';
import { dropLedgerTables } from '../../stage/ledger/ledger-tables.sql.js';
import { orphanWarning } from '../../plan/orphans/orphan-problem.js';
import { readStagedKeys } from '../../stage/foreign-keys/staged-key.js';
import { recordOutcome } from '../../stage/ledger/staging-ledger.js';
import { type JobSequences, moveSequences, readJobSequences } from '../../stage/switch/advance-sequences.js';
import { verifyLargeObjects } from '../../verify/verify-large-objects.js';
import { readUsedValues } from '../../verify/verify-sequences.js';
import { verifySwitched } from '../../verify/verify-switched.js';
import { copyLargeObjects } from './copy-large-objects.js';
import { BUILD_PHASE_OF, dropSteps, readSteps, runStep, type StepPhase } from './build-ledger.js';
import { reportSecurityDefiner } from './security-definer.js';

/**
 * Completes the new database after all rows are copied and all indexes are built: foreign keys and other post-data,
 * materialized views, sequences, the last checks, and then row security. Records the result in the ledger. From then on,
 * only the swap is left.
 * @param checks the results of the comparison of the rows
 */
export async function finishBuild(
  job: RunningJob,
  copied: CopiedJob,
  { source, target, snapshot }: JobDatabases,
  checks: readonly VerificationCheck[],
): Promise<SyncJobResult> {
  const { command: attempt, environment, meter, signal } = job;
  const { plans, staged } = copied;
  const client = target.client;
  const run = async (phase: StepPhase) => {
    for (const step of await readSteps(client, attempt.jobId, phase)) {
      signal.throwIfAborted();
      await runStep(client, step, { attempt, setPath: copied.paths.sqlFor(undefined) });
      meter.build?.completed(BUILD_PHASE_OF[phase]);
    }
  };
  meter.enter('indexing');
  const clients = { source: source.client, target: client };
  if (attempt.largeObjects === 'copy') await copyLargeObjects(clients, signal);
  await client.query(staged.postDataSql);
  await run('define');
  const removed = await reportSecurityDefiner(attempt, source.client, environment);
  meter.build?.enter('views');
  await run('refresh');
  // Read first, because the positions of the source's sequences only grow.
  const usedBefore = await readUsedValues(source.client);
  const sequences = await readJobSequences(plans, source.client, client);
  const moved = await moveAll(job, clients, plans, sequences);
  const verification = await verifySwitched({
    ...{ plans, source: source.client, target: client, log: environment.log, checks, isWhole: true },
    ...{ compared: copied.joins.keys, sourceRows: copied.sourceRows, usedBefore, usedOnTarget: undefined },
  });
  if (attempt.largeObjects === 'copy') await verifyLargeObjects(clients, { log: environment.log, signal });
  const leftOut = await findLeftOut(clients);
  if (leftOut.length > 0) logNames(environment, { about: 'left_out', objects: namesOfLeftOut(leftOut) });
  await analyzeOthers(client);
  await run('secure');
  await snapshot.held.confirm();
  meter.enter('switching');
  const outcome: SyncJobResult = {
    tables: meter.snapshot(),
    warnings: [
      ...job.warnings,
      ...staged.warnings,
      ...removed,
      ...(await keptOrphans(client, attempt.jobId)),
      ...sequences.warnings,
      ...truncationWarnings(copied),
      ...moved,
    ],
    phases: meter.phases(),
    verification,
    leftOut: countByKind(leftOut),
  };
  await record(job, client, outcome);
  return outcome;
}

/** Returns a warning for each foreign key that stays NOT VALID, because the job keeps rows that violate it. */
async function keptOrphans(client: LocatedClient, jobId: string): Promise<readonly SyncWarning[]> {
  const keys = await readStagedKeys(client, jobId);
  return keys
    .filter(({ state }) => state === 'kept_not_valid')
    .map((key) => orphanWarning('orphans_kept', key.tableIndex, key));
}

/**
 * Moves the sequences of the tables beyond their values, and all others to their positions on the source. Each move is a
 * transaction of its own, because one could not lock all sequences. An attempt that repeats this moves none backwards.
 */
async function moveAll(
  { environment }: RunningJob,
  { source, target }: Readonly<Record<'source' | 'target', LocatedClient>>,
  plans: CopiedJob['plans'],
  sequences: JobSequences,
): Promise<readonly SyncWarning[]> {
  const known = new Set(sequences.names.map(keyOfSequence));
  const { rows } = await source.query<TableName>(SEQUENCES);
  const others = await findSequences(
    source,
    rows.filter((name) => !known.has(keyOfSequence(name))),
  );
  const positions = await readPositions(source, others);
  const warnings = await moveSequences(target, plans, sequences, environment.log);
  await advanceSequences(target, await findSequences(target, others), positions);
  return warnings;
}

const SEQUENCES = `
  SELECT n.nspname AS schema, c.relname AS table
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'S' AND c.relpersistence <> 't' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
`;

/** Analyzes the tables that were never analyzed: those of which no rows are copied. */
async function analyzeOthers(client: LocatedClient): Promise<void> {
  const { rows } = await client.query<TableName>(NOT_ANALYZED);
  for (const name of rows) await client.query(`ANALYZE ${quoteTable(name)}`);
}

const NOT_ANALYZED = `
  SELECT n.nspname AS schema, c.relname AS table
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.reltuples < 0 AND n.nspname !~ '^(pg_|understudy_)' AND n.nspname <> 'information_schema'
     AND (c.relkind IN ('r', 'p') OR c.relkind = 'm' AND c.relispopulated)
     AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
   ORDER BY c.oid
`;

/** Records the result, and removes the tables of the ledger that only a build needs. */
async function record({ command, environment }: RunningJob, client: LocatedClient, outcome: SyncJobResult) {
  const { jobId } = command;
  try {
    await client.query('BEGIN');
    await recordOutcome(client, { attempt: command, maskingKey: environment.keys.maskingKey }, outcome);
    await client.query(`${dropLedgerTables(jobId)}; ${dropSteps(jobId)}; COMMIT`);
  } catch (error) {
    await rollBackAndThrow(client.plain, command, error);
  }
}
