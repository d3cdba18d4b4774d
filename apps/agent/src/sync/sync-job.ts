import type { CellMask } from '@understudy/masking';
import { disconnect } from '../postgres/connect.js';
import { guard } from '../postgres/guard.js';
import { findPgTools } from '../postgres/pg-tools.js';
import { emptyTables } from '../postgres/replace-rows.js';
import { restartSequences } from '../postgres/restart-sequences.js';
import type { ServerIdentity } from '../postgres/server-identity.js';
import { killSession, openSession, type Session } from '../postgres/session.js';
import { lockTarget } from '../postgres/target-lock.js';
import { ModelRegistry } from '../training/model-registry.js';
import { compileMasks } from './compile-masks.js';
import { copyTable } from './copy-table.js';
import { expectedRows } from './count-rows.js';
import { createTables } from './create-tables.js';
import { FailureContexts } from './failure-contexts.js';
import { jobGenerators } from './job-generators.js';
import type { JobReporter, SyncWarning, TableProgress } from './job-reporter.js';
import { checkServers, planTables } from './preflight.js';
import { ProgressMeter } from './progress-meter.js';
import { openSnapshot, type Snapshot } from './snapshot-holder.js';
import { planSubset } from './subset/plan-subset.js';
import type { SyncEnvironment } from './sync-environment.js';
import type { SyncJobCommand } from './sync-job-command.js';
import type { TablePlan } from './table-plan.js';
import { trainingOrders, trainModels, waitsForTraining } from './train-models.js';

export interface SyncJobResult {
  readonly tables: readonly TableProgress[];
  readonly warnings: readonly SyncWarning[];
}

type Reporter = Pick<JobReporter, 'progress' | 'modelTrained'>;

/**
 * One attempt of one job: models fetched → preflight → train → copy and replace in one transaction on the target. What it throws has
 * changed nothing there.
 */
export class SyncJob {
  private readonly contexts: FailureContexts;
  private readonly job;

  constructor(
    private readonly command: SyncJobCommand,
    private readonly environment: SyncEnvironment,
    private readonly reporter: Reporter,
    private readonly signal: AbortSignal,
  ) {
    this.contexts = new FailureContexts(command);
    const { seed, referenceInstantMs } = command;
    this.job = { maskingKey: environment.keys.maskingKey, seed, referenceInstantMs };
  }

  /** @throws SyncJobError, or the signal's reason */
  async run(): Promise<SyncJobResult> {
    const { policy, hostedModels, models, builtin } = this.environment;
    const sourceTarget = policy.resolveDatabase(this.command.source, 'source');
    const targetTarget = policy.resolveDatabase(this.command.target, 'target');
    const { jobId } = this.command;
    const hosted = await hostedModels.files(jobId, this.command.hostedModels, this.signal);
    const registry = new ModelRegistry(models, builtin, hosted);
    return withSessions(this.signal, async (open, keepOpen) => {
      const source = await open(() => openSession(sourceTarget, 'source'));
      const target = await open(() => openSession(targetTarget, 'target'));
      const server = await checkServers(source, target, this.contexts);
      await guard(this.contexts.on('target'), () => lockTarget(target.client));
      const snapshot = await guard(this.contexts.on('source'), () => openSnapshot(source.client));
      const { command, contexts, signal } = this;
      const whole = await planTables(command, snapshot, target, contexts, policy);
      const plans = await planSubset({
        command,
        plans: whole,
        source: snapshot.client,
        policy,
        contexts,
        signal,
      });
      const masks = await this.trainAndCompile(plans, snapshot, registry);
      return this.replace(plans, masks, snapshot, { source, target, server, keepOpen });
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

  private async replace(
    plans: readonly TablePlan[],
    masks: readonly ReadonlyMap<string, CellMask>[],
    snapshot: Snapshot,
    { source, target, server, keepOpen }: Servers,
  ): Promise<SyncJobResult> {
    const { contexts, signal } = this;
    const existing = plans.flatMap((plan) => (plan.target === undefined ? [] : [plan.target]));
    const tools =
      existing.length === plans.length
        ? { dump: '', restore: '' }
        : await findPgTools(this.environment.tools, server.majorVersion);
    const meter = await this.startMeter(plans, snapshot);
    const onTarget = contexts.on('target');
    await guard(onTarget, () => target.client.query('BEGIN'));
    const created = await createTables({
      plans,
      snapshot,
      source: source.target,
      target: target.client,
      tools,
      signal,
      contextOf: (side) => contexts.on(side),
    });
    try {
      const emptied = await guard(onTarget, () => emptyTables(target.client, existing, onTarget));
      const warnings = [...created.warnings];
      for (const plan of plans) {
        signal.throwIfAborted();
        const copied = await copyTable({
          plan,
          masks: masks[plan.index] ?? new Map(),
          job: this.job,
          source: source.client,
          target: target.client,
          contextOf: (side) => contexts.on(side, plan.index),
          onRows: (rows) => {
            meter.copying(plan.index, rows);
          },
        });
        meter.completed(plan.index, copied.rows);
        warnings.push(...truncationWarnings(plan, copied.truncated));
      }
      await created.finish();
      await guard(onTarget, () => emptied.restore());
      for (const { index, name } of plans) {
        await guard(contexts.on('target', index), () => restartSequences(target.client, name));
      }
      await meter.settle();
      signal.throwIfAborted();
      // From here on the server decides: a job that is stopped while it commits is told by the answer what has become of it.
      keepOpen();
      await guard(onTarget, () => target.client.query('COMMIT'));
      return { tables: meter.snapshot(), warnings };
    } finally {
      await created.dispose();
    }
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
}

type Open = (work: () => Promise<Session>) => Promise<Session>;

interface Servers {
  readonly source: Session;
  readonly target: Session;
  readonly server: ServerIdentity;
  readonly keepOpen: () => void;
}

/**
 * Closes all sessions at the end; ends them at once when the signal says so, until the work calls `keepOpen`. An open
 * transaction is rolled back.
 */
async function withSessions<T>(
  signal: AbortSignal,
  work: (open: Open, keepOpen: () => void) => Promise<T>,
): Promise<T> {
  const sessions: Session[] = [];
  const kills: Promise<void>[] = [];
  const onAbort = () => {
    kills.push(...sessions.map(killSession));
  };
  const keepOpen = () => {
    signal.removeEventListener('abort', onAbort);
  };
  signal.addEventListener('abort', onAbort);
  try {
    return await work(async (openOne) => {
      signal.throwIfAborted();
      const session = await openOne();
      sessions.push(session);
      if (signal.aborted) onAbort();
      signal.throwIfAborted();
      return session;
    }, keepOpen);
  } finally {
    keepOpen();
    await Promise.all([...kills, ...sessions.map(({ client }) => disconnect(client))]);
  }
}

function truncationWarnings(plan: TablePlan, columns: readonly string[]): readonly SyncWarning[] {
  return columns.map((column) => {
    const columnIndex = plan.columnIndex.get(column);
    const place = columnIndex === undefined ? {} : { columnIndex };
    return { code: 'value_truncated', tableIndex: plan.index, ...place } as const;
  });
}
