import {
  applySettings,
  DatabaseInUseError,
  dropEarlierKept,
  dropReplacedDatabase,
  type FoundDatabase,
  isSwitched,
  keptName,
  type ServerSession,
  settingStatements,
  switchDatabases,
} from '@understudy/database-swap';
import {
  type Client,
  type ConnectionTarget,
  DatabaseError,
  disconnect,
  errorDetail,
  quoteIdentifier,
} from '@understudy/postgres';
import { DEFAULT_KEPT_HOURS, SyncJobError, type SyncJobResult, type SyncWarning } from '@understudy/sync-job';
import type { RunningJob } from '../../attempt/running-job.js';
import { guard, OutcomeUnknown } from '../../session/guard.js';
import { sessionName } from '../../session/job-attempt.js';
import { openJobClient, openWithRetry } from '../../session/open-session.js';
import { claimEpoch } from '../../stage/claim-epoch.js';
import { readLedgerRow } from '../../stage/ledger/staging-ledger.js';
import type { BuildDatabase } from '../build/build-database.js';
import { giveToOwners } from './give-to-owners.js';
import { giveOwners } from './object-owners.js';
import {
  type DatabasePrivileges,
  privilegeStatements,
  readPrivileges,
  runEach,
} from './object-privileges.js';

/** A complete database that is ready for the swap. */
export interface SwapRequest {
  /** The session that holds the lock on the target's name. */
  readonly session: ServerSession;
  readonly build: BuildDatabase;
  /** A session on the source. */
  readonly source: Client;
  /** The target, as the agent's role connects to it. */
  readonly agent: ConnectionTarget;
  /** The name of the second login. */
  readonly login: string;
  /** The result of the job. */
  readonly outcome: SyncJobResult;
  /** The database that is replaced; undefined if there is none. */
  readonly existing: FoundDatabase | undefined;
  /** The properties of the new database, and the owner of all its objects. */
  readonly properties: FoundDatabase['properties'];
  readonly owner: string;
}

/**
 * Gives the objects of the new database to their owners, and then gives the target's name to the database, in one
 * transaction.
 * @returns a warning if objects did not get the privileges that they had in the replaced database
 * @throws SyncJobError database_in_use if other sessions do not leave the target within the lock wait limit · lease_lost
 * if a later attempt has claimed the database · OutcomeUnknown if COMMIT got no reply, and the server cannot be reached
 */
export async function swapBuild(job: RunningJob, request: SwapRequest): Promise<readonly SyncWarning[]> {
  const { session, build, source, agent, login, outcome, existing, properties, owner } = request;
  const { command, environment, meter, signal } = job;
  const { client } = session;
  signal.throwIfAborted();
  meter.build?.enter('swap');
  await environment.reached('switch_begun');
  const { maskingKey } = environment.keys;
  const { rows: schemas } = await source.query(PUBLIC_OF_ROLE);
  const giving = { command, maskingKey, outcome, database: build.name, login, owner };
  const isPublicOfDatabase = schemas.length === 0;
  await build.asAgent((own) => giveToOwners(own, { ...giving, isPublicOfDatabase }));
  const warnings = [...(await giveRights(job, request))];
  const database = quoteIdentifier(build.name);
  const more = [
    `REVOKE ALL ON DATABASE ${database} FROM ${quoteIdentifier(login)}`,
    // The claim has written a comment.
    ...(properties.comment === null ? [`COMMENT ON DATABASE ${database} IS NULL`] : []),
  ];
  // Only a superuser may set some of them, and only CREATEROLE those of a role.
  const settings = settingStatements(build.name, properties.settings).map((sql) => [sql]);
  await applySettings(client, build.name, { properties: { ...properties, settings: [] }, owner, more });
  warnings.push(...warningOf(job, 'setting_not_given', await runEach(client, settings)));
  const { rows } = await client.query<{ oid: string }>(
    'SELECT oid::text AS oid FROM pg_catalog.pg_database WHERE datname = $1',
    [build.name],
  );
  await environment.reached('before_commit');
  const names = {
    loading: build.name,
    replaced: keptHoursOf(job) > 0 ? keptName(agent.database, command.jobId) : build.replacedName,
  };
  const { lockWaitMs: graceMs = WAIT_MS } = environment.copy;
  try {
    const { endSessions: endsSessions = false, jobId: change } = command;
    const claim = sessionName(command);
    await switchDatabases(session, agent, names, { change, existing, graceMs, signal, endsSessions, claim });
  } catch (error) {
    if (error instanceof DatabaseInUseError)
      throw new SyncJobError({ code: 'database_in_use', side: 'target' }, { cause: error });
    if (!(error instanceof DatabaseError) || error.code !== 'connection_lost') throw error;
    if (!(await hasCommitted(job, agent, rows[0]?.oid ?? ''))) throw error;
  }
  return warnings;
}

/** pg_dump writes the schema if it belongs to a role, as in databases that were upgraded from PostgreSQL 14. */
const PUBLIC_OF_ROLE = `
  SELECT FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_roles r ON r.oid = n.nspowner
   WHERE n.nspname = 'public' AND r.rolname <> 'pg_database_owner'
`;

const WAIT_MS = 600_000;

/**
 * Finds out whether this attempt has committed the swap, after COMMIT got no reply. Waits up to a minute for the server.
 * @throws SyncJobError lease_lost if a later attempt has claimed the job · OutcomeUnknown
 */
async function hasCommitted(job: RunningJob, agent: ConnectionTarget, oid: string): Promise<boolean> {
  const { environment, signal } = job;
  const ask = () => guard({ side: 'target' }, () => isSwitched(agent, oid));
  try {
    const isCommitted = await openWithRetry(ask, environment.now, signal);
    if (isCommitted) await requireOwnResult(job, agent);
    return isCommitted;
  } catch (cause) {
    if (cause instanceof SyncJobError && cause.failure.code === 'lease_lost') throw cause;
    environment.log.error({ detail: errorDetail(cause) }, 'the result of the swap could not be read');
    throw new OutcomeUnknown(new SyncJobError({ code: 'connection_lost', side: 'target' }, { cause }));
  }
}

/** Checks that no later attempt has swapped the databases. It removes the ledger when its result is stored. */
async function requireOwnResult(
  { command, environment }: RunningJob,
  agent: ConnectionTarget,
): Promise<void> {
  const client = await openJobClient(agent, 'target', sessionName(command));
  try {
    await claimEpoch(client, command);
    const row = await readLedgerRow(client, command.jobId, environment.keys.maskingKey);
    if (row?.outcome === undefined) throw new Error('the ledger has no result');
  } finally {
    await disconnect(client);
  }
}

/** Gives the objects of the new database the owners and the privileges that the job chooses. */
async function giveRights(job: RunningJob, request: SwapRequest): Promise<readonly SyncWarning[]> {
  const { command } = job;
  const { build, source } = request;
  const from = await chosenPrivileges(job, request);
  return build.asAgent(async (own) => {
    const keptOwners: unknown[] = [];
    if (command.owners === 'source') {
      const { objects: ofSource } = await readPrivileges(source, command);
      const { objects: created } = await readPrivileges(own, command);
      keptOwners.push(...(await giveOwners(own, { ofSource, created })));
    }
    const { objects } = await readPrivileges(own, command);
    const notGiven = from === undefined ? [] : await runEach(own, privilegeStatements(objects, from));
    return [
      ...warningOf(job, 'owner_not_given', keptOwners),
      ...warningOf(job, 'privilege_not_given', notGiven),
    ];
  });
}

/** @returns undefined if the objects get the privileges of new objects */
async function chosenPrivileges(
  { command }: RunningJob,
  { source, agent, existing }: SwapRequest,
): Promise<DatabasePrivileges | undefined> {
  const { privileges = 'target' } = command;
  if (privileges === 'source') return readPrivileges(source, command);
  if (privileges === 'none' || existing === undefined) return undefined;
  const old = await openJobClient(agent, 'target', sessionName(command));
  return readPrivileges(old, command).finally(() => disconnect(old));
}

/** Logs what could not be given, and returns a warning about it. */
function warningOf(
  { environment }: RunningJob,
  code: 'owner_not_given' | 'privilege_not_given' | 'setting_not_given',
  failures: readonly unknown[],
): readonly SyncWarning[] {
  for (const error of failures)
    environment.log.warn({ code, detail: errorDetail(error) }, 'the server refused');
  return failures.length === 0 ? [] : [{ code, count: failures.length }];
}

/** Returns for how long the job keeps the replaced database. The policy has the upper limit. */
function keptHoursOf({ command, environment }: RunningJob): number {
  return Math.min(
    command.keepReplacedHours ?? DEFAULT_KEPT_HOURS,
    environment.policy.rules.keepReplacedHours,
  );
}

/**
 * Drops the replaced database unless it is kept, and what earlier replacements of the target have kept. Logs a failure,
 * because the target is replaced already.
 */
export async function afterSwap(
  job: RunningJob,
  { build, agent }: Pick<SwapRequest, 'build' | 'agent'>,
): Promise<Pick<SyncJobResult, 'keptHours'>> {
  const { command, environment } = job;
  const keptHours = keptHoursOf(job);
  // If the server cannot be reached, the database may be there.
  let keeps = keptHours > 0;
  try {
    keeps = await dropEarlierKept(agent, command.jobId, environment.log);
    await dropReplacedDatabase(agent, build.replacedName);
  } catch (error) {
    environment.log.warn(
      { database: build.replacedName, detail: errorDetail(error) },
      'the replaced database could not be dropped',
    );
  }
  return keeps ? { keptHours } : {};
}
