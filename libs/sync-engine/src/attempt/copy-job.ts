import { isPrivateModel, needsRowOrder } from '@understudy/masking';
import { emptyTablesOf } from '../plan/exclude/decisions.js';
import type { LocatedClient } from '../session/located-client.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { compileMasks, type CompileMasksOptions, type JobMasks } from '../plan/compile-masks.js';
import { compilerOptions } from '../plan/compiler-options.js';
import { planJob } from '../plan/plan-job.js';
import { copyAndBuild } from './build/copy-and-build.js';
import { fingerprintOf } from '../plan/fingerprint.js';
import { largeObjectWarnings } from '../plan/large-objects.js';
import type { JobStaging } from './replacement.js';
import type { CopiedJob, JobDatabases, RunningJob } from './running-job.js';
import { withLeaves } from '../copy/plan-chunks.js';
import { rulesForThreads } from '../copy/threads/rules-in-threads.js';
import { findOrphans, refuseOrphans, skippedOrphans } from '../plan/orphans/find-orphans.js';
import { ProblemList } from '../plan/problems/problem-list.js';
import { type PlannedRules, finalizeRules } from '../plan/plan-rules.js';
import { measureTable } from '../progress/measure-table.js';
import type { TableSize } from '../progress/table-counts.js';
import type { Snapshot } from '../source/snapshot.js';
import { sizeOfPart } from '../plan/subset/row-filter.js';
import type { ColumnPlan, TablePlan } from '../plan/table-plan.js';
import { unlistedWarnings } from '../plan/preflight/unlisted-tables.js';
import { defined, SyncJobError, type SyncProblem } from '@understudy/sync-job';
import { trainingOrders, trainModels, type TrainingOrder, waitsForTraining } from '../train/train-models.js';

/**
 * Stages the tables of a job with all rows, indexes and keys: plan → train → stage → copy → build.
 * @param staging makes the tables. This function discards it.
 */
export async function copyJob(
  job: RunningJob,
  databases: JobDatabases,
  registry: ModelRegistry,
  staging: JobStaging,
): Promise<CopiedJob> {
  const { command, contexts, environment, signal } = job;
  const { policy } = environment;
  const { target } = databases;
  const source = databases.source.client;
  const limited = [databases.source, target];
  const { excluded } = staging;
  const toPlan = {
    ...{ command, source, target, contexts, policy, signal, limited },
    ...defined({ excluded }),
    emptyTables: emptyTablesOf(command),
  };
  try {
    const rules = await planJob(toPlan, {
      onTables: (tables) => staging.planned(tables),
      onRows: async (tables) => {
        await staging.chosen?.(tables);
        job.warnings.push(...(await largeObjectWarnings(tables, source, job.command)));
        job.warnings.push(...(await unlistedWarnings(toPlan, environment)));
        job.warnings.push(...skippedOrphans(tables, environment));
        if ((command.orphans ?? 'fail') === 'fail') {
          // The target checks all keys after the copy. This finds what is likely before it.
          const clients = { source, target: target.client };
          refuseOrphans(await findOrphans(tables, clients, ({ isGuarded }) => !isGuarded), environment);
        }
        return true;
      },
    });
    return await copyPlanned(job, databases, { rules, registry, staging });
  } finally {
    await staging.discard();
  }
}

interface PlannedJob {
  readonly rules: PlannedRules;
  readonly registry: ModelRegistry;
  readonly staging: JobStaging;
}

async function copyPlanned(
  job: RunningJob,
  databases: JobDatabases,
  { rules, registry, staging }: PlannedJob,
): Promise<CopiedJob> {
  const { command, environment, material, meter } = job;
  const { keys, models, reached } = environment;
  const { source, snapshot } = databases;
  const { plans } = rules;
  const isTraining = trainingOrders(plans).length > 0;
  if (isTraining) {
    await job.sessions.closeSpare(); // the training can take hours
    await whenHeld(job, snapshot);
  }
  const { compiled, isPrivate } = await trainAndCompile(job, plans, snapshot, registry);
  const clients = { source: source.client, target: databases.target.client };
  const { masks, warnings } = await finalizeRules(rules, compiled, clients);
  job.warnings.push(...warnings);
  if (!isTraining) await whenHeld(job, snapshot);
  await reached('models_trained');
  const { staged, paths, runsCode } = await staging.stage({
    ...{ plans, masks },
    fingerprint: fingerprintOf(command, plans, rules.keys, keys.maskingKey, registry),
    needsOrder: ({ index }) => needsRowOrder(masks.get(index)?.values() ?? []),
  });
  await reached('staging_created');
  meter.expect(await measure(plans, source.client));
  const tables = rulesForThreads(plans, { compiled, finalized: masks, isPrivate });
  const { compositions } = command;
  const { fingerprintKey } = models;
  const maskingJob = { material, compositions, hosted: registry.hosted, fingerprintKey };
  const threadRules = { job: maskingJob, tables };
  const read = withLeaves(plans, staged.chunks);
  return copyAndBuild(job, { plans: read, masks, runsCode, staged, threadRules, paths }, databases);
}

/**
 * Waits until the snapshot keeper holds the snapshot. Call this before the training, which can take hours, or
 * at the latest before the staging, whose tables outlive the attempt. Planning does not need the keeper.
 */
async function whenHeld({ environment }: RunningJob, { held }: Snapshot): Promise<void> {
  await held.confirm();
  await environment.reached('snapshot_held');
  await environment.reached('planned');
}

interface CompiledRules {
  readonly compiled: JobMasks;
  /** The table indexes of the tables whose rules use private models. */
  readonly isPrivate: ReadonlySet<number>;
}

/**
 * Trains the models and compiles all rules. Rules that need no training are compiled first, so that an error
 * in one of them is reported before the training starts.
 */
async function trainAndCompile(
  { command, environment, meter, reporter, signal }: RunningJob,
  plans: readonly TablePlan[],
  snapshot: Snapshot,
  registry: ModelRegistry,
): Promise<CompiledRules> {
  const orders = trainingOrders(plans);
  if (orders.length > 0) meter.enter('training');
  const options = compilerOptions(command, environment, registry.find);
  const problems = new ProblemList();
  for (const plan of plans) {
    // A rule that was propagated from a referenced key is skipped: its errors are reported at that key.
    const isOfKey = ({ description }: ColumnPlan) => !plan.columnIndex.has(description.name);
    const skip = (column: ColumnPlan) => isOfKey(column) || waitsForTraining(orders, column);
    if (problems.try(() => compileMasks(plan, { ...options, skip })) === undefined) continue;
    const uses = orders.length === 0 ? [] : usesOfText(plan, { ...options, skip: isOfKey }, orders);
    for (const problem of uses) problems.add(problem);
  }
  problems.throwIfAny();
  const store = environment.models;
  const acceptedAt = new Date(command.acceptedAtMs);
  await trainModels(orders, { snapshot, store, acceptedAt, registry, reporter, signal });
  meter.enter('preflight'); // the rest of the preflight: training is reported separately
  const isPrivate = new Set<number>();
  const compiled = new Map(
    plans.map((plan) => {
      const models = (id: string) => {
        if (isPrivateModel(id)) isPrivate.add(plan.index);
        return registry.find(id);
      };
      return [plan.index, compileMasks(plan, { ...options, models })];
    }),
  );
  return { compiled, isPrivate };
}

/**
 * Finds the rules that must not use the text of a model as they do, before the model is trained. Only the rules decide
 * this, so another model replaces it here.
 */
function usesOfText(
  plan: TablePlan,
  options: CompileMasksOptions,
  orders: readonly TrainingOrder[],
): readonly SyncProblem[] {
  const isTrained = (id: string) => orders.some(({ modelId }) => modelId === id);
  const models = (id: string) => options.models(isTrained(id) ? ANY_MODEL : id);
  try {
    compileMasks(plan, { ...options, models });
    return [];
  } catch (error) {
    if (!(error instanceof SyncJobError)) throw error;
    const { failure } = error;
    return (failure.problems ?? [failure]).filter(({ code }) => code === 'model_text_refused');
  }
}

const ANY_MODEL = 'en_US/first_names';

async function measure(plans: readonly TablePlan[], client: LocatedClient): Promise<readonly TableSize[]> {
  const sizes: TableSize[] = [];
  for (const { source, index, rowFilter } of plans) {
    const whole = await measureTable(client.at(index), source);
    sizes.push(rowFilter === undefined ? whole : sizeOfPart(whole, rowFilter.count));
  }
  return sizes;
}
