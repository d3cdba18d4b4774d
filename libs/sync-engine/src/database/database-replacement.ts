import {
  type FoundDatabase,
  lockLogin,
  type LockRequest,
  onTargetServer,
  readProperties,
  type ServerSession,
  withLockedTarget,
  withServerSession,
} from '@understudy/database-swap';
import { type ConnectionTarget, disconnect } from '@understudy/postgres';
import type { SyncJobResult } from '@understudy/sync-job';
import { openFirst, sessionOpeners } from '../attempt/attempt-sessions.js';
import { copyJob } from '../attempt/copy-job.js';
import type { AttemptHost, Replacement } from '../attempt/replacement.js';
import { resultOfReplaced } from '../attempt/result-of-replaced.js';
import type { JobDatabases, RunningJob } from '../attempt/running-job.js';
import { verifyCopy } from '../attempt/verify-copy.js';
import { withSnapshot } from '../attempt/with-snapshot.js';
import { ProblemList } from '../plan/problems/problem-list.js';
import { checkServers, checkTargetRole, surveyTables } from '../plan/preflight/preflight.js';
import { requireWritable } from '../plan/preflight/writable-target.js';
import { guard } from '../session/guard.js';
import { endOlderAttempts, sessionName } from '../session/job-attempt.js';
import type { LocatedSession } from '../session/located-client.js';
import { openJobClient, openWithRetry, reachingAgain } from '../session/open-session.js';
import { findRoom } from '../session/session-room.js';
import { claimEpoch } from '../stage/claim-epoch.js';
import { dropStaging } from '../stage/drop-staging.js';
import { type LedgerRow, readLedgerRow, recordSnapshot } from '../stage/ledger/staging-ledger.js';
import { BuildDatabase, type BuildState, dropBuildDatabase } from './build/build-database.js';
import { checkRoles, requireLogin } from './checks/build-login.js';
import { BuildStaging } from './build/build-staging.js';
import { checkExtensions } from './checks/check-extensions.js';
import {
  buildLoginOf,
  refuseBlocked,
  refuseOlderServer,
  refuseTargetOnly,
} from './checks/check-replacement.js';
import {
  type ExcludedObject,
  exclusionProblems,
  findExcluded,
  reportExcluded,
} from '../plan/exclude/excluded-objects.js';
import { finishBuild } from './build/finish-build.js';
import { restoreLogin } from './build/restore-login.js';
import { sweepBuilds } from './build/sweep-builds.js';
import { findPrepared } from './checks/prepared-objects.js';
import { refuseMissingTablespaces } from './checks/missing-tablespaces.js';
import { findMissingRoles } from './checks/missing-roles.js';
import { neverCopied, refuseUndecided } from './checks/never-copied.js';
import { readHeldBytes } from './checks/room.js';
import { findUngranted } from './checks/ungranted-objects.js';
import { refuseSuperuserObjects } from './checks/superuser-objects.js';
import { afterSwap, swapBuild } from './swap/swap-build.js';

/** Replaces the whole target by a database that the job builds beside it. */
export class DatabaseReplacement implements Replacement {
  private isAcquired = false;

  constructor(private readonly job: RunningJob) {}

  get hasAcquired(): boolean {
    return this.isAcquired;
  }

  /**
   * Holds the lock on the target's name from the first check to the end of the swap. A later attempt waits up to a minute
   * for the server, as `openFirst` does.
   */
  async run(host: AttemptHost): Promise<SyncJobResult> {
    const { command, environment, signal } = this.job;
    const login = buildLoginOf(command, environment);
    const request = { name: sessionName(command), log: environment.log, signal };
    const reach = () =>
      guard({ side: 'target' }, () => withServerSession(host.target, () => Promise.resolve()));
    if (command.epoch === 1) await reach();
    else await reachingAgain(() => openWithRetry(reach, environment.now, signal));
    const replace = (session: ServerSession) => this.replace({ ...host, session, login }, request);
    return reachingAgain(() => withLockedTarget(host.target, request, replace), 'target');
  }

  async drop(agent: ConnectionTarget): Promise<void> {
    const { command } = this.job;
    await dropBuildDatabase(command, agent);
    const existing = await onTargetServer(agent, (client) => readProperties(client, agent.database));
    if (existing === undefined) return;
    const client = await openJobClient(agent, 'target', sessionName(command));
    await dropStaging(client, command).finally(() => disconnect(client));
  }

  private async replace(host: LockedHost, request: LockRequest): Promise<SyncJobResult> {
    const { job } = this;
    const { command, sessions } = job;
    const { session, login, target: agent } = host;
    const source = await sessions.open(() => openFirst(job, host.source, 'source'));
    const existing = await readProperties(session.client, agent.database);
    const owner = existing?.properties.owner ?? agent.user;
    // With thousands of tables, the query takes seconds.
    let found: Promise<readonly ExcludedObject[]> | undefined;
    const excluding = () => (found ??= findExcluded(source.client, command));
    const earlier = existing && (await this.checkExisting(source, agent, { owner, excluding }));
    const build = new BuildDatabase(session.client, command, agent, login);
    if (earlier !== undefined) {
      this.isAcquired = true;
      await endOlderAttempts(source.client, command);
      return { ...earlier, ...(await afterSwap(job, { build, agent })) };
    }
    await refuseOlderServer({ source: source.client, target: session.client }, job.environment);
    await refuseBlocked(session, agent, job.environment);
    if (existing === undefined) {
      const sides = { source: source.client, target: undefined, owner };
      job.warnings.push(...(await findUngranted(command, sides, job.environment)));
    }
    const properties = existing?.properties ?? (await propertiesOf(source));
    await checkRoles(session.client, login.user, owner);
    await lockLogin(session.client, login.user, request);
    const state = await build.find();
    this.isAcquired = true;
    await sweepBuilds(session.client, build, agent.database, job.environment.log);
    const outcome =
      (state === 'built' ? await this.outcomeOf(build) : undefined) ??
      (await this.build({ host, source, build, properties, state, excluding }));
    const swap = {
      session,
      build,
      source: source.client,
      agent,
      login: login.user,
      outcome,
      existing,
      properties,
      owner,
    };
    const warnings = await swapBuild(job, swap);
    await job.environment.reached('committed');
    const kept = await afterSwap(job, { build, agent });
    return { ...outcome, ...kept, warnings: [...outcome.warnings, ...warnings] };
  }

  /**
   * Checks the database that is replaced. Leaves no session in it, because it could not be renamed then.
   * @returns the result of an earlier attempt that has swapped the databases, if there is one
   */
  private async checkExisting(
    source: LocatedSession,
    agent: ConnectionTarget,
    { owner, excluding }: { readonly owner: string; readonly excluding: Excluding },
  ): Promise<SyncJobResult | undefined> {
    const { job } = this;
    const { command, environment, sessions } = job;
    const old = await sessions.open(() => openFirst(job, agent, 'target'));
    await checkServers(source, old);
    await claimEpoch(old.client, command);
    await endOlderAttempts(old.client, command);
    const row = await readLedgerRow(old.client, command.jobId, environment.keys.maskingKey);
    const outcome = row?.outcome ?? (await resultOfReplaced(old.client, command, agent.database));
    if (outcome === undefined) {
      const clients = { source: source.client, target: old.client };
      await refuseTargetOnly(command, clients, await excluding(), environment);
      job.warnings.push(...(await findUngranted(command, { ...clients, owner }, environment)));
    }
    await this.leave(old);
    return outcome;
  }

  private outcomeOf(build: BuildDatabase): Promise<SyncJobResult | undefined> {
    const { command, environment } = this.job;
    return build.asAgent(async (client) => {
      await claimEpoch(client, command);
      await endOlderAttempts(client, command);
      const row = await readLedgerRow(client, command.jobId, environment.keys.maskingKey);
      return row?.outcome;
    });
  }

  /** Builds the database up to the point where only the swap is left. */
  private async build({
    host: { registry, keeper, keepSnapshot, session, login, target: agent },
    source,
    build,
    properties,
    state,
    excluding,
  }: BuildRequest): Promise<SyncJobResult> {
    const { job } = this;
    const { command, contexts, environment, sessions } = job;
    const { policy, reached, keys } = environment;
    const heldBytes = await readHeldBytes(session.client, agent.database);
    const template = policy.templateOf?.(command.target);
    const openTarget = () => sessions.open(() => openFirst(job, build.target, 'target'));
    await requireLogin(agent, login);
    if (state !== 'building') {
      await build.drop();
      await build.create(properties, template);
    }
    let target = await openTarget();
    let earlier: LedgerRow | undefined;
    if (state === 'building') {
      await claimEpoch(target.client, command);
      await endOlderAttempts(target.client, command);
      earlier = await readLedgerRow(target.client, command.jobId, keys.maskingKey);
      if (earlier?.outcome !== undefined) {
        await this.leave(target);
        return earlier.outcome;
      }
    }
    const { connections, sessionWaitMs } = environment.copy;
    const wanted = { connections, sessionWaitMs, name: sessionName(command), spare: sessions };
    const room = await findRoom({ source, target }, wanted);
    const server = await checkServers(source, target);
    contexts.knowEventTriggers(await requireWritable(target.client));
    job.warnings.push(...(await checkTargetRole(target.client, policy)));
    await reached('target_locked');
    const excluded = await excluding();
    await surveyTables({ command, source: source.client, target, contexts, policy, excluded });
    const clients = { source: source.client, target: target.client };
    const leftOut = new Set(excluded.map(({ address }) => address));
    const problems = new ProblemList();
    const differing = await problems.collect(() => checkExtensions(clients, { leftOut, isPrepared: true }));
    if (earlier === undefined) {
      await refuseUndecided(command, source.client, { excluded, policy });
      for (const problem of await exclusionProblems(source.client, command, excluded)) problems.add(problem);
      const others = new Set([...leftOut, ...(await findPrepared(clients))]);
      await problems.collect(() => refuseSuperuserObjects(command, source.client, others));
      await problems.collect(() => refuseMissingTablespaces(command, clients, build.target.user));
    }
    problems.throwIfAny();
    job.warnings.push(...(differing ?? []));
    job.warnings.push(...reportExcluded(excluded, environment));
    job.warnings.push(...(await findMissingRoles(command, clients, environment)));
    job.warnings.push(...(await neverCopied(command, clients)));
    const holding = { earlierId: earlier?.snapshotId || undefined, keeper, keepSnapshot };
    const built = withSnapshot(job, source, holding, async (snapshot) => {
      if (snapshot.joined !== undefined) await recordSnapshot(target.client, command, snapshot.id);
      await endOlderAttempts(source.client, command);
      const current = {
        ...{ source, snapshot, server, room },
        get target() {
          return target;
        },
      };
      const databases: JobDatabases = Object.assign(current, { open: sessionOpeners(job, current) });
      const restart = async () => {
        await sessions.closeSpare();
        await this.leave(target);
        await build.drop();
        await build.create(properties, template);
        target = await openTarget();
      };
      const staging = new BuildStaging(job, databases, { earlier, heldBytes, restart, excluded });
      const copied = await copyJob(job, databases, registry, staging);
      const checks = await verifyCopy(job, copied, databases);
      await job.meter.flush();
      const outcome = await finishBuild(job, copied, databases, checks);
      await snapshot.held.release();
      return outcome;
    });
    const outcome = await built.finally(async () => {
      await sessions.closeSpare();
      const clients = { session: target.client, agent: session.client };
      await restoreLogin(build.target, clients, environment.log);
    });
    // A database with sessions cannot be renamed.
    await this.leave(target);
    return outcome;
  }

  private async leave(session: LocatedSession): Promise<void> {
    this.job.sessions.release(session);
    await disconnect(session.client);
  }
}

interface LockedHost extends AttemptHost {
  /** The session that holds the lock on the target's name. */
  readonly session: ServerSession;
  /** The second login. */
  readonly login: ConnectionTarget;
}

interface BuildRequest {
  readonly host: LockedHost;
  readonly source: LocatedSession;
  readonly build: BuildDatabase;
  readonly properties: FoundDatabase['properties'];
  readonly state: BuildState;
  readonly excluding: Excluding;
}

/** Returns the objects of the source that the job leaves out. */
type Excluding = () => Promise<readonly ExcludedObject[]>;

/** Returns the properties of the source's database for a target that does not exist. Its roles need not exist there. */
async function propertiesOf({ client }: LocatedSession): Promise<FoundDatabase['properties']> {
  const { rows } = await client.query<{ name: string }>('SELECT pg_catalog.current_database() AS name');
  const found = await readProperties(client, rows[0]?.name ?? '');
  if (found === undefined) throw new Error('expected the properties of the database of the session');
  return { ...found.properties, grants: DEFAULT_GRANTS, settings: [], tablespace: null };
}

/** The privileges of a database on which nobody has changed them. */
const DEFAULT_GRANTS = [
  { grantee: null, privilege: 'CONNECT', grantable: false },
  { grantee: null, privilege: 'TEMPORARY', grantable: false },
];
