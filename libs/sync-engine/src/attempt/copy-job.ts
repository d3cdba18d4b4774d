import { reportSourceCode } from '../plan/preflight/source-code.js';
import { isPrivateModel, needsRowOrder } from '@understudy/masking';
import { EvaluationPaths } from '@understudy/postgres';
import type { LocatedClient } from '../session/located-client.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { compileMasks, type CompileMasksOptions, type JobMasks } from '../plan/compile-masks.js';
import { compilerOptions, planJob } from '../plan/plan-job.js';
import { copyAndBuild } from './copy-and-build.js';
import type { DefinitionDump } from '../stage/create/definition-dump.js';
import { SwapDump } from '../stage/swap/swap-dump.js';
import { fingerprintOf } from '../plan/fingerprint.js';
import { largeObjectWarnings } from '../plan/large-objects.js';
import type { CopiedJob, JobDatabases, RunningJob, StagedJob } from './running-job.js';
import { withLeaves } from '../copy/plan-chunks.js';
import { rulesForThreads } from '../copy/threads/rules-in-threads.js';
import type { MaskingJob } from '../copy/threads/masking-messages.js';
import { ProblemList } from '../plan/problems/problem-list.js';
import { type PlannedRules, finalizeRules, type FinalRules } from '../plan/plan-rules.js';
import { measureTable } from '../progress/measure-table.js';
import type { TableSize } from '../progress/table-counts.js';
import type { Snapshot } from '../source/snapshot.js';
import { openBeside, openSource } from './attempt-sessions.js';
import { defineMissing, dumpDefinition, stageJob } from './stage-job.js';
import type { TableDefinitions } from '../stage/create/define-tables.js';
import { rehearseDefinitions, tablesThatCallFunctions } from '../copy/rehearsal/rehearse-target.js';
import { readHiddenSchemas } from '../stage/switch/move-objects.js';
import type { LedgerRow } from '../stage/ledger/staging-ledger.js';
import { sizeOfPart } from '../plan/subset/row-filter.js';
import type { ColumnPlan, TablePlan } from '../plan/table-plan.js';
import { unlistedWarnings } from '../plan/preflight/unlisted-tables.js';
import { SyncJobError, type SyncProblem } from '@understudy/sync-job';
import { trainingOrders, trainModels, type TrainingOrder, waitsForTraining } from '../train/train-models.js';

/**
 * Stages the tables of a job with all rows, indexes and keys: plan → train → stage → copy → build.
 * @param earlier the ledger row of an earlier attempt, if there is one
 */
export async function copyJob(
  job: RunningJob,
  databases: JobDatabases,
  earlier: LedgerRow | undefined,
  registry: ModelRegistry,
): Promise<CopiedJob> {
  const { command, contexts, environment, signal } = job;
  const { policy } = environment;
  const { target, snapshot } = databases;
  const source = databases.source.client;
  const limited = [databases.source, target];
  const toPlan = { command, source, target, contexts, policy, signal, limited };
  let dump: DefinitionDump | undefined;
  let swapDump: SwapDump | undefined;
  try {
    const rules = await planJob(toPlan, {
      onTables: async (tables) => {
        const isOmitting = command.sourceCode === 'omit';
        const found = { plans: tables, source, target: target.client, isOmitting };
        await reportSourceCode(found, environment);
        swapDump = newSwapDump(job, databases, tables);
        // If this attempt continues with the tables that an earlier one staged, it needs no dump.
        if (earlier !== undefined) return;
        // The keeper needs another session until it holds the snapshot, and pg_dump another one.
        if (databases.room.isTight) await snapshot.held.confirm();
        if (tables.some((plan) => plan.target === undefined)) dump = dumpDefinition(job, databases, tables);
        await swapDump.begin();
      },
      onRows: async (tables) => {
        job.warnings.push(...(await largeObjectWarnings(tables, source)));
        job.warnings.push(...(await unlistedWarnings(toPlan, environment)));
        return true;
      },
    });
    if (swapDump === undefined) throw new Error('onTables was not called before the rules were planned');
    return await copyPlanned(job, databases, { rules, earlier, registry, dump, swapDump });
  } finally {
    await Promise.all([dump?.discard(), swapDump?.discard()]);
  }
}

interface PlannedJob {
  readonly rules: PlannedRules;
  readonly earlier: LedgerRow | undefined;
  readonly registry: ModelRegistry;
  readonly dump: DefinitionDump | undefined;
  readonly swapDump: SwapDump;
}

async function copyPlanned(
  job: RunningJob,
  databases: JobDatabases,
  { rules, registry, ...planned }: PlannedJob,
): Promise<CopiedJob> {
  const { environment, meter } = job;
  const { reached } = environment;
  const { source, target, snapshot } = databases;
  const { plans } = rules;
  const isTraining = trainingOrders(plans).length > 0;
  if (isTraining) {
    await job.sessions.closeSpare(); // the training can take hours
    await whenHeld(job, snapshot);
  }
  const { compiled, isPrivate } = await trainAndCompile(job, plans, snapshot, registry);
  const clients = { source: source.client, target: target.client };
  const { masks, warnings } = await finalizeRules(rules, compiled, clients);
  job.warnings.push(...warnings);
  if (!isTraining) await whenHeld(job, snapshot);
  await reached('models_trained');
  const calling = await tablesThatCallFunctions(plans, clients);
  const definitions = await rehearse(job, databases, { plans, masks, calling, ...planned });
  const staged = await stage(job, databases, { ...rules, ...planned, masks, definitions }, registry);
  await reached('staging_created');
  meter.expect(await measure(plans, source.client));
  const tables = rulesForThreads(plans, { compiled, finalized: masks, isPrivate });
  const threadRules = { job: maskingJob(job, registry), tables };
  const existing = plans.flatMap((plan) => plan.target?.oid ?? []);
  const hidden = await readHiddenSchemas(target.client, job.command.jobId);
  const { allowsSharedSchemas } = environment.policy;
  const paths = await EvaluationPaths.read(target.client, existing, allowsSharedSchemas, hidden);
  const runsCode = [...calling.values()].includes(true);
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

/**
 * Tries the definitions and a few rows of the job before it copies all rows, if the rows of a table cannot be written
 * without calling functions of users. Such a function may not find the objects that it uses.
 * @returns the definitions of the missing tables, if they were needed
 * @throws SyncJobError function_unresolved, create_failed
 */
async function rehearse(
  job: RunningJob,
  databases: JobDatabases,
  { plans, masks, calling, earlier, dump, swapDump }: RehearsedJob,
): Promise<TableDefinitions | undefined> {
  const { sessions } = job;
  if (earlier !== undefined || calling.size === 0) return undefined;
  await swapDump.swap(); // its pg_dump and the rehearsal use the target's sessions in turn
  const definitions = await defineMissing(job, databases, plans, { dump });
  const rehearsal = await rehearseDefinitions(
    {
      ...{ ...job, plans, masks, definitions, source: databases.source.client },
      openSource: () => sessions.open(() => openSource(job, databases)),
      openTarget: () => sessions.open(() => openBeside(job, databases.target)),
    },
    calling,
    (deferring) => defineMissing(job, databases, plans, { deferring }),
  );
  const [error] = rehearsal.failures;
  if (error !== undefined) throw error;
  return rehearsal.definitions;
}

type RehearsedJob = Pick<PlannedJob, 'earlier' | 'dump' | 'swapDump'> & {
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  readonly calling: ReadonlyMap<number, boolean>;
};

function maskingJob(
  { command: { compositions }, environment: { models }, material }: RunningJob,
  { hosted }: ModelRegistry,
): MaskingJob {
  return { material, compositions, hosted, fingerprintKey: models.fingerprintKey };
}

function stage(
  job: RunningJob,
  databases: JobDatabases,
  {
    keys,
    masks,
    ...planned
  }: PlannedRules &
    Pick<FinalRules, 'masks'> &
    Pick<PlannedJob, 'earlier' | 'dump' | 'swapDump'> & {
      readonly definitions: TableDefinitions | undefined;
    },
  models: ModelRegistry,
): Promise<StagedJob> {
  const { command, environment } = job;
  return stageJob(job, databases, {
    ...planned,
    fingerprint: fingerprintOf(command, planned.plans, keys, environment.keys.maskingKey, models),
    needsOrder: ({ index }) => needsRowOrder(masks.get(index)?.values() ?? []),
  });
}

function newSwapDump(
  { environment, signal }: RunningJob,
  { source, target }: JobDatabases,
  plans: readonly TablePlan[],
): SwapDump {
  const { copy, tools, log } = environment;
  const fromBytes = copy.swapFromBytes;
  return new SwapDump({ plans, source: source.client, target, fromBytes, tools, log, signal });
}

async function measure(plans: readonly TablePlan[], client: LocatedClient): Promise<readonly TableSize[]> {
  const sizes: TableSize[] = [];
  for (const { source, index, rowFilter } of plans) {
    const whole = await measureTable(client.at(index), source);
    sizes.push(rowFilter === undefined ? whole : sizeOfPart(whole, rowFilter.count));
  }
  return sizes;
}
