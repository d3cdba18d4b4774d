import { Logger } from '@nestjs/common';
import type { CellMask } from '@understudy/masking';
import type { ConnectionTarget } from '../policy/connection-target.js';
import { connect, disconnect } from '../postgres/connect.js';
import { guard } from '../postgres/guard.js';
import type { ServerIdentity } from '../postgres/server-identity.js';
import { openSession, type Session } from '../postgres/session.js';
import { ModelRegistry } from '../training/model-registry.js';
import { compileMasks } from './compile-masks.js';
import { copyTables, rowsOf } from './copy-tables.js';
import { expectedRows } from './count-rows.js';
import { FailureContexts } from './failure-contexts.js';
import { failureOf, isResumed } from './failure-of.js';
import { fingerprintOf } from './fingerprint.js';
import { jobGenerators } from './job-generators.js';
import type { JobReporter, SyncWarning } from './job-reporter.js';
import { JobSessions } from './job-sessions.js';
import { listTables } from './list-tables.js';
import { checkServers, planTables, requireStagingRight } from './preflight.js';
import { ProgressMeter } from './progress-meter.js';
import { joinSnapshot } from './snapshot/join-snapshot.js';
import { type Snapshot, takeSnapshot } from './snapshot-holder.js';
import { stageJob, type StagedJob } from './stage-job.js';
import { buildIndexes } from './staging/build-indexes.js';
import { dropStaging } from './staging/drop-staging.js';
import {
  type JobOutcome,
  type LedgerChunk,
  type LedgerRow,
  readBuilds,
  readLedgerRow,
} from './staging/staging-ledger.js';
import { sessionName } from './staging/staging-names.js';
import { sweepTarget } from './staging/sweep-target.js';
import { switchTarget } from './staging/switch-target.js';
import { takeTarget } from './staging/take-target.js';
import type { OnLeaseRenewed } from './on-lease-renewed.js';
import { planSubset } from './subset/plan-subset.js';
import type { SyncEnvironment } from './sync-environment.js';
import type { SyncJobCommand } from './sync-job-command.js';
import type { TablePlan } from './table-plan.js';
import { trainingOrders, trainModels, waitsForTraining } from './train-models.js';

type Reporter = Pick<JobReporter, 'progress' | 'modelTrained'>;

/**
 * One attempt of one job: preflight → train → stage → copy → build → switch. The target is as it was until the switch commits; what the
 * attempt throws has changed nothing there.
 */
export class SyncJob {
  private readonly logger = new Logger(SyncJob.name);
  private readonly contexts: FailureContexts;
  private readonly job;
  private readonly sessions: JobSessions;
  private readonly warnings: SyncWarning[] = [];

  constructor(
    private readonly command: SyncJobCommand,
    private readonly environment: SyncEnvironment,
    private readonly reporter: Reporter,
    private readonly signal: AbortSignal,
    private readonly onLeaseRenewed: OnLeaseRenewed,
  ) {
    this.contexts = new FailureContexts(command);
    this.sessions = new JobSessions(signal);
    const { seed, referenceInstantMs } = command;
    this.job = { maskingKey: environment.keys.maskingKey, seed, referenceInstantMs };
  }

  /** @throws SyncJobError, or the signal's reason */
  async run(): Promise<JobOutcome> {
    const { policy } = this.environment;
    const source = policy.resolveDatabase(this.command.source, 'source');
    const target = policy.resolveDatabase(this.command.target, 'target');
    try {
      return await this.attempt(source, target).finally(() => this.sessions.close());
    } catch (error) {
      if (!isResumed(failureOf(error, this.signal))) await this.dropStaging(target);
      throw error;
    }
  }

  /** Removes the last of the job from the target: its end is known, and nobody will ask for it any more. Never rejects. */
  forget(): Promise<void> {
    return this.dropStaging(this.environment.policy.resolveDatabase(this.command.target, 'target'));
  }

  private async attempt(sourceTarget: ConnectionTarget, targetTarget: ConnectionTarget): Promise<JobOutcome> {
    const { hostedModels, models, builtin, reached } = this.environment;
    const { command, contexts, sessions, signal } = this;
    const hosted = await hostedModels.files(command.jobId, command.hostedModels, signal);
    const registry = new ModelRegistry(models, builtin, hosted);
    const source = await sessions.open(() => openSession(sourceTarget, 'source'));
    const target = await sessions.open(() => openSession(targetTarget, 'target', sessionName(command)));
    const server = await checkServers(source, target, contexts);
    await requireStagingRight(target, contexts.on('target'));
    const earlier = await this.take(target);
    if (earlier?.outcome !== undefined) return earlier.outcome;
    await reached('target_locked');
    const snapshot = await this.hold(source, earlier);
    const endRenewals = this.onLeaseRenewed(() => {
      snapshot.held.renew();
    });
    try {
      const outcome = await this.copy({ source, target, server, snapshot }, earlier, registry);
      await snapshot.held.release();
      return outcome;
    } catch (error) {
      // The next attempt goes on with the same rows if it comes soon.
      if (isResumed(failureOf(error, signal))) snapshot.held.leave();
      else await snapshot.held.release();
      throw error;
    } finally {
      endRenewals();
    }
  }

  private async copy(
    databases: Databases,
    earlier: LedgerRow | undefined,
    registry: ModelRegistry,
  ): Promise<JobOutcome> {
    const { command, contexts, environment, job, signal } = this;
    const { reached, policy } = environment;
    const { target, snapshot } = databases;
    await reached('snapshot_held');
    const whole = await planTables(command, snapshot, target, contexts, policy);
    const { client } = snapshot;
    const plans = await planSubset({ command, plans: whole, source: client, policy, contexts, signal });
    await reached('planned');
    const masks = await this.trainAndCompile(plans, snapshot, registry);
    await reached('models_trained');
    const staged = await this.stage(plans, earlier, registry, databases);
    await reached('staging_created');
    const meter = await this.startMeter(plans, snapshot);
    const ledger = await copyTables({
      attempt: command,
      environment,
      plans,
      masks,
      job,
      staged,
      openSource: () => this.openSource(databases),
      openTarget: () => this.openTarget(target.target),
      meter,
      contexts,
      signal: AbortSignal.any([this.signal, snapshot.held.lost]),
    });
    await guard(contexts.on('source'), () => snapshot.held.confirm());
    await reached('all_chunks_committed');
    await this.build(target);
    await reached('indexes_built');
    await meter.settle();
    const warnings = [...this.warnings, ...staged.warnings, ...truncationWarnings(plans, ledger)];
    const outcome = { tables: meter.snapshot(), warnings };
    await this.switch(plans, staged, ledger, outcome, target);
    await reached('committed');
    return outcome;
  }

  private async openSource({ source, snapshot }: Databases): Promise<Session> {
    const session = await openSession(source.target, 'source');
    try {
      await joinSnapshot(session.client, snapshot.id);
      return session;
    } catch (error) {
      await disconnect(session.client);
      throw error;
    }
  }

  private openTarget(target: ConnectionTarget): Promise<Session> {
    return openSession(target, 'target', sessionName(this.command));
  }

  /** @returns what an earlier attempt has left */
  private async take(target: Session): Promise<LedgerRow | undefined> {
    const onTarget = this.contexts.on('target');
    const taken = await guard(onTarget, () => takeTarget(target.client, this.command));
    if (taken.waited) this.warnings.push({ code: 'waited_for_job' });
    this.signal.throwIfAborted();
    await guard(onTarget, () => sweepTarget(target.client, this.command.jobId));
    return taken.ledger;
  }

  private hold(source: Session, earlier: LedgerRow | undefined): Promise<Snapshot> {
    const { jobId, epoch } = this.command;
    return takeSnapshot({
      source,
      tables: listTables(this.command),
      earlierId: earlier?.snapshotId,
      signal: this.signal,
      onBlocked: (backendPids) => {
        this.logger.warn({ jobId, epoch, backendPids }, 'sessions of the source hold locks on its tables');
      },
    });
  }

  /** Rules that need no training are compiled first: a mistake in one must not cost a training. */
  private async trainAndCompile(
    plans: readonly TablePlan[],
    snapshot: Snapshot,
    registry: ModelRegistry,
  ): Promise<readonly ReadonlyMap<string, CellMask>[]> {
    const { job, reporter, contexts, signal } = this;
    const orders = trainingOrders(plans);
    const { assets, registry: shipped } = this.environment.builtin;
    const generators = jobGenerators(shipped, this.command.compositions);
    const options = { job, models: registry.find, assets, registry: generators };
    for (const plan of plans) {
      compileMasks(plan, { ...options, skip: (column) => waitsForTraining(orders, column) });
    }
    const store = this.environment.models;
    const acceptedAt = new Date(this.command.acceptedAtMs);
    await trainModels(orders, { snapshot, store, acceptedAt, registry, reporter, contexts, signal });
    return plans.map((plan) => compileMasks(plan, options));
  }

  private stage(
    plans: readonly TablePlan[],
    earlier: LedgerRow | undefined,
    models: ModelRegistry,
    { source, target, server, snapshot }: Databases,
  ): Promise<StagedJob> {
    const { command, contexts, signal } = this;
    const { tools, keys } = this.environment;
    return stageJob({
      attempt: command,
      plans,
      fingerprint: fingerprintOf(command, plans, keys.maskingKey, models),
      snapshot,
      earlier,
      source,
      target,
      tools,
      sourceVersion: server.majorVersion,
      chunkBytes: this.environment.copy.chunkBytes,
      contexts,
      signal,
    });
  }

  private async startMeter(plans: readonly TablePlan[], snapshot: Snapshot): Promise<ProgressMeter> {
    const totals: number[] = [];
    for (const { source, index, rowFilter } of plans) {
      totals.push(
        rowFilter?.count ??
          (await guard(this.contexts.on('source', index), () => expectedRows(snapshot.client, source))),
      );
    }
    const meter = new ProgressMeter(this.reporter, totals, this.environment.now);
    await this.reporter.progress(meter.snapshot());
    return meter;
  }

  private async build({ client, target }: Session): Promise<void> {
    const { command, contexts, signal } = this;
    const contextOf = (tableIndex?: number) => contexts.on('target', tableIndex);
    const builds = await guard(contextOf(), () => readBuilds(client, command.jobId));
    const { connections } = this.environment.copy;
    const openTarget = () => this.openTarget(target);
    await buildIndexes({ attempt: command, builds, connections, openTarget, contextOf, signal });
  }

  private async switch(
    plans: readonly TablePlan[],
    { tables, finishSql }: StagedJob,
    ledger: readonly LedgerChunk[],
    outcome: JobOutcome,
    target: Session,
  ): Promise<void> {
    const { contexts, command, signal } = this;
    const { reached } = this.environment;
    const rows = new Map(plans.map(({ index }) => [index, rowsOf(ledger, index)]));
    const contextOf = (tableIndex?: number) => contexts.on('target', tableIndex);
    try {
      await switchTarget(target.client, {
        attempt: command,
        plans,
        staged: tables,
        rows,
        finishSql,
        outcome,
        contextOf,
        reached,
        beforeCommit: () => {
          signal.throwIfAborted();
          // From here on the server decides: a job that is stopped while it commits is told by the answer what has become of it.
          this.sessions.keepOpen();
        },
      });
    } catch (error) {
      if (!(await this.hasSwitched(error, target.target))) throw error;
    }
  }

  /** A commit whose answer was lost is read back, never guessed. */
  private async hasSwitched(error: unknown, target: ConnectionTarget): Promise<boolean> {
    if (failureOf(error, this.signal).code !== 'connection_lost') return false;
    const client = await connect(target, 'target', sessionName(this.command));
    try {
      const row = await guard(this.contexts.on('target'), () => readLedgerRow(client, this.command.jobId));
      return row?.state === 'switched';
    } finally {
      await disconnect(client);
    }
  }

  private async dropStaging(target: ConnectionTarget): Promise<void> {
    const { jobId, epoch } = this.command;
    try {
      const client = await connect(target, 'target', sessionName(this.command));
      await dropStaging(client, this.command).finally(() => disconnect(client));
    } catch (error) {
      // It is in nobody's way: a later job on this target sweeps it.
      const detail = error instanceof Error ? error.message : String(error);
      this.logger.warn({ jobId, epoch, detail }, 'the staging schema could not be removed');
    }
  }
}

interface Databases {
  readonly source: Session;
  readonly target: Session;
  readonly server: ServerIdentity;
  readonly snapshot: Snapshot;
}

function truncationWarnings(
  plans: readonly TablePlan[],
  chunks: readonly LedgerChunk[],
): readonly SyncWarning[] {
  return plans.flatMap(({ index, columnIndex }) => {
    const cut = chunks.flatMap(({ tableIndex, truncated }) => (tableIndex === index ? truncated : []));
    return [...new Set(cut)].map((column) => {
      const place = columnIndex.get(column);
      return {
        code: 'value_truncated',
        tableIndex: index,
        ...(place === undefined ? {} : { columnIndex: place }),
      } as const;
    });
  });
}
