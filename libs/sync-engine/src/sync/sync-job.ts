import { needsRowOrder, type CellMask } from '@understudy/masking';
import type { ConnectionTarget } from '../connection/connection-target.js';
import { connect, disconnect } from '../postgres/connect.js';
import { guard } from '../postgres/guard.js';
import type { DatabaseSide } from '../postgres/server-failure.js';
import type { ServerIdentity } from '../postgres/server-identity.js';
import { openSession, type Session } from '../postgres/session.js';
import { withinTime } from '../postgres/within-time.js';
import { ModelRegistry } from '../training/model-registry.js';
import { compileMasks } from './compile-masks.js';
import { copyTables, rowsOf } from './copy-tables.js';
import { endOlderAttempts } from './end-older-attempts.js';
import { FailureContexts } from './failure-contexts.js';
import { failureOf, isResumed } from './failure-of.js';
import { fingerprintOf } from './fingerprint.js';
import { jobGenerators } from './job-generators.js';
import type { JobReporter, SyncJobResult, SyncWarning } from './job-reporter.js';
import { JobSessions } from './job-sessions.js';
import type { SettledMasks } from './keys/settle-masks.js';
import { listTables } from './list-tables.js';
import { openPatiently } from './open-patiently.js';
import { checkServers, mayStage, planTables, surveyTables } from './preflight.js';
import { type PlannedRules, planRules, settleRules } from './prepare-rules.js';
import { measureTable } from './progress/measure-table.js';
import { ProgressMeter } from './progress/progress-meter.js';
import type { TableSize } from './progress/table-counts.js';
import { joinSnapshot } from './snapshot/join-snapshot.js';
import { type Snapshot, takeSnapshot } from './snapshot-holder.js';
import { stageJob, type StagedJob } from './stage-job.js';
import { buildIndexes } from './staging/build-indexes.js';
import { dropStaging } from './staging/drop-staging.js';
import { type LedgerChunk, type LedgerRow, readBuilds, readLedgerRow } from './staging/staging-ledger.js';
import { sessionName } from './staging/staging-names.js';
import { sweepTarget } from './staging/sweep-target.js';
import { switchTarget } from './staging/switch-target.js';
import { takeTarget } from './staging/take-target.js';
import type { OnLeaseRenewed } from './on-lease-renewed.js';
import { copiedRows } from './subset/copied-rows.js';
import { planSubset } from './subset/plan-subset.js';
import { sizeOfPart } from './subset/size-of-part.js';
import type { SyncEnvironment } from './sync-environment.js';
import type { SyncJobCommand } from './sync-job-command.js';
import type { TablePlan } from './table-plan.js';
import { trainingOrders, trainModels, waitsForTraining } from './train-models.js';
import { bothOrFirstFailure } from './verification/both-or-first-failure.js';
import { requireVerified } from './verification/require-verified.js';
import { RowComparison } from './verification/row-comparison.js';
import type { VerificationCheck } from './verification/verification.js';
import { verifySwitched } from './verification/verify-switched.js';

type Reporter = Pick<JobReporter, 'progress' | 'modelTrained'>;

/**
 * One attempt of one job: preflight → train → stage → copy → build → verify → switch. The target is as it was until the switch commits; what the
 * attempt throws has changed nothing there.
 */
export class SyncJob {
  private readonly contexts: FailureContexts;
  private readonly job;
  private readonly sessions: JobSessions;
  private readonly meter: ProgressMeter;
  private readonly warnings: SyncWarning[] = [];
  /** Before, nothing of this attempt can be on the target. */
  private hasTaken = false;

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
    this.meter = new ProgressMeter(reporter, environment.now);
  }

  /** @throws SyncJobError, or the signal's reason */
  async run(): Promise<SyncJobResult> {
    const { policy } = this.environment;
    const source = policy.resolveDatabase(this.command.source, 'source');
    const target = policy.resolveDatabase(this.command.target, 'target');
    this.meter.start();
    try {
      return await this.attempt(source, target).finally(() => this.sessions.close());
    } catch (error) {
      if (this.hasTaken && !isResumed(failureOf(error, this.signal))) await this.dropStaging(target);
      throw error;
    } finally {
      this.meter.stop();
    }
  }

  /** Removes the last of the job from the target: its end is known, and nobody will ask for it any more. Never rejects. */
  forget(): Promise<void> {
    return this.dropStaging(this.environment.policy.resolveDatabase(this.command.target, 'target'));
  }

  private async attempt(
    sourceTarget: ConnectionTarget,
    targetTarget: ConnectionTarget,
  ): Promise<SyncJobResult> {
    const { hostedModels, models, builtin, policy, reached } = this.environment;
    const { command, contexts, sessions, signal } = this;
    const hosted = await hostedModels.files(command.jobId, command.hostedModels, signal);
    const registry = new ModelRegistry(models, builtin, hosted);
    const source = await sessions.open(() => this.openFirst(sourceTarget, 'source'));
    const target = await sessions.open(() => this.openFirst(targetTarget, 'target'));
    const server = await withinTime([source, target], () => checkServers(source, target, contexts));
    const preflight = { command, source: source.client, target, contexts, policy };
    // What the job cannot even begin without is told with all the rest that is wrong.
    if (!(await mayStage(target, contexts.on('target')))) await surveyTables(preflight);
    this.hasTaken = true;
    const earlier = await this.take(target);
    const endOlder = () => guard(contexts.on('source'), () => endOlderAttempts(source.client, command));
    if (earlier?.outcome !== undefined) {
      await endOlder();
      return earlier.outcome;
    }
    await reached('target_locked');
    await surveyTables(preflight);
    const snapshot = await this.hold(source, earlier);
    const endRenewals = this.onLeaseRenewed(() => {
      snapshot.held.renew();
    });
    try {
      // Only now: what an earlier attempt saw is joined while its holder is there.
      await endOlder();
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

  private openFirst(target: ConnectionTarget, side: DatabaseSide): Promise<Session> {
    const open = () => openSession(target, side, sessionName(this.command));
    return this.command.epoch === 1 ? open() : openPatiently(open, this.environment.now, this.signal);
  }

  private async copy(
    databases: Databases,
    earlier: LedgerRow | undefined,
    registry: ModelRegistry,
  ): Promise<SyncJobResult> {
    const { command, contexts, environment, job, meter, signal } = this;
    const { reached, policy } = environment;
    const { source, target, snapshot } = databases;
    await reached('snapshot_held');
    const whole = await withinTime([source, target], () =>
      planTables({ command, source: snapshot.client, target, contexts, policy }),
    );
    const { client } = snapshot;
    const tables = await planSubset({ command, plans: whole, source: client, policy, contexts, signal });
    const clients = { source: client, target: target.client, contexts };
    const rules = await planRules(tables, clients);
    const { plans } = rules;
    await reached('planned');
    const compiled = await this.trainAndCompile(plans, snapshot, registry);
    const { masks, warnings } = await settleRules(rules, compiled, clients);
    this.warnings.push(...warnings);
    await reached('models_trained');
    const staged = await this.stage({ ...rules, masks }, earlier, registry, databases);
    await reached('staging_created');
    meter.expect(await this.measure(plans, snapshot));
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
    const copied = { plans, masks, staged, ledger };
    const checks = await this.buildAndVerify(copied, databases);
    await meter.settle();
    const outcome = await this.switch(copied, checks, databases);
    await reached('committed');
    return outcome;
  }

  private async openSource({ source, snapshot }: Databases): Promise<Session> {
    const session = await openSession(source.target, 'source', sessionName(this.command));
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
    const taken = await guard(onTarget, () => takeTarget(target.client, this.command, this.environment.log));
    if (taken.waited) this.warnings.push({ code: 'waited_for_job' });
    this.signal.throwIfAborted();
    await guard(onTarget, () => sweepTarget(target.client, this.command.jobId, this.environment.log));
    return taken.ledger;
  }

  private hold(source: Session, earlier: LedgerRow | undefined): Promise<Snapshot> {
    const { jobId, epoch } = this.command;
    return takeSnapshot({
      source,
      sessionName: sessionName(this.command),
      tables: listTables(this.command),
      earlierId: earlier?.snapshotId || undefined,
      signal: this.signal,
      onBlocked: (backendPids) => {
        this.environment.log.warn(
          { jobId, epoch, backendPids },
          'sessions of the source hold locks on its tables',
        );
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
    if (orders.length > 0) this.meter.enter('training');
    const { assets, registry: shipped } = this.environment.builtin;
    const generators = jobGenerators(shipped, this.command.compositions);
    const options = { job, models: registry.find, assets, registry: generators };
    for (const plan of plans) {
      compileMasks(plan, { ...options, skip: (column) => waitsForTraining(orders, column) });
    }
    const store = this.environment.models;
    const acceptedAt = new Date(this.command.acceptedAtMs);
    await trainModels(orders, { snapshot, store, acceptedAt, registry, reporter, contexts, signal });
    this.meter.enter('preflight'); // what is left of it: training is told apart
    return plans.map((plan) => compileMasks(plan, options));
  }

  private stage(
    { plans, keys: jobKeys, masks }: PlannedRules & Pick<SettledMasks, 'masks'>,
    earlier: LedgerRow | undefined,
    models: ModelRegistry,
    { source, target, server, snapshot }: Databases,
  ): Promise<StagedJob> {
    const { command, contexts, signal } = this;
    const { tools, keys } = this.environment;
    return stageJob({
      attempt: command,
      plans,
      fingerprint: fingerprintOf(command, plans, jobKeys, keys.maskingKey, models),
      needsOrder: ({ index }) => needsRowOrder(masks[index]?.values() ?? []),
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

  private async measure(plans: readonly TablePlan[], { client }: Snapshot): Promise<readonly TableSize[]> {
    const sizes: TableSize[] = [];
    for (const { source, index, rowFilter } of plans) {
      const whole = await guard(this.contexts.on('source', index), () => measureTable(client, source));
      sizes.push(rowFilter === undefined ? whole : sizeOfPart(whole, rowFilter.count));
    }
    return sizes;
  }

  /** The source's rows are read while the target is at work on its indexes. */
  private async buildAndVerify(
    { plans, masks, staged, ledger }: CopiedJob,
    databases: Databases,
  ): Promise<readonly VerificationCheck[]> {
    const { contexts, environment, meter, signal } = this;
    const { source, target, snapshot } = databases;
    const into = new Map(staged.tables.map((table) => [table.tableIndex, table.into]));
    const request = {
      plans,
      masks,
      copied: rowsByTable(plans, ledger),
      stagedAs: ({ index, name }: TablePlan) => into.get(index) ?? name,
      sourceRows: copiedRows,
      connections: environment.copy.connections,
      contextOf: contexts.on.bind(contexts),
      onVerified: meter.verified,
    };
    const rows = await RowComparison.plan(request, source.client, target.client);
    meter.enter('indexing');
    await bothOrFirstFailure(signal, [
      (either) => this.build(target, either),
      (either) => rows.readSource(() => this.openSource(databases), either),
    ]);
    await guard(contexts.on('source'), () => snapshot.held.confirm());
    await environment.reached('indexes_built');
    meter.enter('verifying');
    const checks = await rows.compareTarget(() => this.openTarget(target.target), signal);
    requireVerified(checks);
    return checks;
  }

  private async build({ client, target }: Session, signal: AbortSignal): Promise<void> {
    const { command, contexts } = this;
    const contextOf = (tableIndex?: number) => contexts.on('target', tableIndex);
    const builds = await guard(contextOf(), () => readBuilds(client, command.jobId));
    const { connections } = this.environment.copy;
    const openTarget = () => this.openTarget(target);
    await buildIndexes({ attempt: command, builds, connections, openTarget, contextOf, signal });
  }

  private async switch(
    { plans, staged, ledger }: CopiedJob,
    checks: readonly VerificationCheck[],
    { source, target }: Databases,
  ): Promise<SyncJobResult> {
    const { contexts, command, meter, signal } = this;
    const { log, reached } = this.environment;
    meter.enter('switching');
    const warnings = [...this.warnings, ...staged.warnings, ...truncationWarnings(plans, ledger)];
    const at = contexts.on.bind(contexts);
    try {
      const outcome = await switchTarget(target.client, {
        attempt: command,
        plans,
        staged: staged.tables,
        rows: rowsByTable(plans, ledger),
        lateSql: staged.lateSql,
        finishSql: staged.finishSql,
        verify: () =>
          verifySwitched({ plans, source: source.client, target: target.client, contextOf: at, log, checks }),
        outcomeOf: (verification) => ({
          tables: meter.snapshot(),
          warnings,
          phases: meter.phases(),
          verification,
        }),
        contextOf: (tableIndex) => at('target', tableIndex),
        reached,
        beforeCommit: () => {
          signal.throwIfAborted();
          // From here on the server decides: a job that is stopped while it commits is told by the answer what has become of it.
          this.sessions.keepOpen();
        },
      });
      return { ...outcome, phases: meter.phases() };
    } catch (error) {
      const outcome = await this.switchedOutcome(error, target.target);
      if (outcome === undefined) throw error;
      return outcome;
    }
  }

  /** A commit whose answer was lost is read back, never guessed. @returns undefined when nothing was committed */
  private async switchedOutcome(
    error: unknown,
    target: ConnectionTarget,
  ): Promise<SyncJobResult | undefined> {
    if (failureOf(error, this.signal).code !== 'connection_lost') return undefined;
    const client = await connect(target, 'target', sessionName(this.command));
    try {
      const row = await guard(this.contexts.on('target'), () => readLedgerRow(client, this.command.jobId));
      return row?.outcome;
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
      this.environment.log.warn({ jobId, epoch, detail }, 'the staging schema could not be removed');
    }
  }
}

interface Databases {
  readonly source: Session;
  readonly target: Session;
  readonly server: ServerIdentity;
  readonly snapshot: Snapshot;
}

/** A job whose chunks are all committed. */
interface CopiedJob {
  readonly plans: readonly TablePlan[];
  /** By table index. */
  readonly masks: readonly ReadonlyMap<string, CellMask>[];
  readonly staged: StagedJob;
  readonly ledger: readonly LedgerChunk[];
}

function rowsByTable(
  plans: readonly TablePlan[],
  ledger: readonly LedgerChunk[],
): ReadonlyMap<number, number> {
  return new Map(plans.map(({ index }) => [index, rowsOf(ledger, index)]));
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
