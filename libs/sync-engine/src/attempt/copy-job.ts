import { isPrivateModel, needsRowOrder, type CellMask } from '@understudy/masking';
import { guard } from '../session/guard.js';
import { withinTime } from '@understudy/postgres';
import type { ModelRegistry } from '../models/model-registry.js';
import { compileMasks } from '../plan/compile-masks.js';
import { copyAndBuild } from './copy-and-build.js';
import { DefinitionDump } from '../stage/create/definition-dump.js';
import { ExchangeDump } from '../stage/swap/swap-dump.js';
import { fingerprintOf } from '../plan/fingerprint.js';
import { jobGenerators } from '../plan/job-generators.js';
import type { SettledMasks } from '../plan/keys/finalize-masks.js';
import { largeObjectWarnings } from '../plan/large-objects.js';
import { lockPatience, type CopiedJob, type JobDatabases, type RunningJob } from './running-job.js';
import { compilableApart } from '../copy/threads/rules-in-threads.js';
import type { MaskingJob } from '../copy/threads/masking-messages.js';
import { planTables } from '../plan/preflight.js';
import { ProblemList } from '../plan/problems/problem-list.js';
import { type PlannedRules, planRules, settleRules } from '../plan/plan-rules.js';
import { measureTable } from '../progress/measure-table.js';
import type { TableSize } from '../progress/table-counts.js';
import type { Snapshot } from '../source/snapshot.js';
import { stageJob, type StagedJob } from './stage-job.js';
import type { LedgerRow } from '../stage/ledger/staging-ledger.js';
import { planSubset } from '../plan/subset/plan-subset.js';
import { sizeOfPart } from '../plan/subset/row-filter.js';
import type { ColumnPlan, TablePlan } from '../plan/table-plan.js';
import { trainingOrders, trainModels, waitsForTraining } from '../train/train-models.js';

/**
 * From the snapshot to tables that are whole, and out of sight: plan → train → stage → copy → build.
 * @param earlier what an earlier attempt has left on the target
 */
export async function copyJob(
  job: RunningJob,
  databases: JobDatabases,
  earlier: LedgerRow | undefined,
  registry: ModelRegistry,
): Promise<CopiedJob> {
  const { command, contexts, environment } = job;
  const { policy } = environment;
  const { source, target, snapshot } = databases;
  const whole = await withinTime([source, target], () =>
    planTables({ command, source: snapshot.client, target, contexts, policy }),
  );
  const isMissing = whole.some((plan) => plan.target === undefined);
  // An attempt that goes on with what is staged needs none.
  const dump = isMissing && earlier === undefined ? dumpDefinition(job, databases) : undefined;
  const exchanging = exchangeDump(job, databases, whole);
  try {
    if (earlier === undefined) await exchanging.begin();
    return await copyPlanned(job, databases, { whole, earlier, registry, dump, exchanging });
  } finally {
    await Promise.all([dump?.discard(), exchanging.discard()]);
  }
}

interface PlannedJob {
  readonly whole: readonly TablePlan[];
  readonly earlier: LedgerRow | undefined;
  readonly registry: ModelRegistry;
  readonly dump: DefinitionDump | undefined;
  readonly exchanging: ExchangeDump;
}

async function copyPlanned(
  job: RunningJob,
  databases: JobDatabases,
  { whole, registry, ...planned }: PlannedJob,
): Promise<CopiedJob> {
  const { command, contexts, environment, meter, signal } = job;
  const { reached, policy } = environment;
  const { target, snapshot } = databases;
  const { client } = snapshot;
  const tables = await planSubset({ command, plans: whole, source: client, policy, contexts, signal });
  job.warnings.push(...(await largeObjectWarnings(tables, client, contexts)));
  const clients = { source: client, target: target.client, contexts };
  const rules = await planRules(tables, clients);
  const { plans } = rules;
  const isTraining = trainingOrders(plans).length > 0;
  if (isTraining) await whenHeld(job, snapshot);
  const { compiled, isPrivate } = await trainAndCompile(job, plans, snapshot, registry);
  const { masks, warnings } = await settleRules(rules, compiled, clients);
  job.warnings.push(...warnings);
  if (!isTraining) await whenHeld(job, snapshot);
  await reached('models_trained');
  const staged = await stage(job, { ...rules, ...planned, masks }, registry, databases);
  await reached('staging_created');
  meter.expect(await measure(job, plans, snapshot));
  const alike = compilableApart(
    plans.map((plan, i) => ({
      plan,
      compiled: compiled[i] ?? new Map(),
      settled: masks[i] ?? new Map(),
      isPrivate: isPrivate.has(plan.index),
    })),
  );
  const apart = { job: maskingJob(job, registry), tables: alike };
  return copyAndBuild(job, { plans, masks, staged, apart }, databases);
}

/** Before anything that is to outlive the attempt, and before work that may take hours; what is planned goes on meanwhile. */
async function whenHeld({ contexts, environment }: RunningJob, { held }: Snapshot): Promise<void> {
  await guard(contexts.on('source'), () => held.confirm());
  await environment.reached('snapshot_held');
  await environment.reached('planned');
}

interface CompiledRules {
  /** By plan, in their order. */
  readonly compiled: readonly ReadonlyMap<string, CellMask>[];
  /** Indexes of tables that draw from models of this machine. */
  readonly isPrivate: ReadonlySet<number>;
}

/** Rules that need no training are compiled first: a mistake in one must not cost a training. */
async function trainAndCompile(
  { command, contexts, environment, material, meter, reporter, signal }: RunningJob,
  plans: readonly TablePlan[],
  snapshot: Snapshot,
  registry: ModelRegistry,
): Promise<CompiledRules> {
  const orders = trainingOrders(plans);
  if (orders.length > 0) meter.enter('training');
  const { assets, registry: shipped } = environment.builtin;
  const generators = jobGenerators(shipped, command.compositions);
  const options = { job: material, models: registry.find, assets, registry: generators };
  const problems = new ProblemList();
  for (const plan of plans) {
    // A rule that has come here from a key that is referenced is wrong at the key.
    const isOfKey = ({ description }: ColumnPlan) => !plan.columnIndex.has(description.name);
    const skip = (column: ColumnPlan) => isOfKey(column) || waitsForTraining(orders, column);
    problems.try(() => compileMasks(plan, { ...options, skip }));
  }
  problems.throwIfAny();
  const store = environment.models;
  const acceptedAt = new Date(command.acceptedAtMs);
  await trainModels(orders, { snapshot, store, acceptedAt, registry, reporter, contexts, signal });
  meter.enter('preflight'); // what is left of it: training is told apart
  const isPrivate = new Set<number>();
  const compiled = plans.map((plan) => {
    const models = (id: string) => {
      if (isPrivateModel(id)) isPrivate.add(plan.index);
      return registry.find(id);
    };
    return compileMasks(plan, { ...options, models });
  });
  return { compiled, isPrivate };
}

function maskingJob(
  { command: { compositions }, environment: { models }, material }: RunningJob,
  { hosted }: ModelRegistry,
): MaskingJob {
  return { material, compositions, hosted, fingerprintKey: models.fingerprintKey };
}

function stage(
  job: RunningJob,
  {
    plans,
    keys: jobKeys,
    masks,
    ...ahead
  }: PlannedRules & Pick<SettledMasks, 'masks'> & Pick<PlannedJob, 'earlier' | 'dump' | 'exchanging'>,
  models: ModelRegistry,
  { source, target, server, snapshot }: JobDatabases,
): Promise<StagedJob> {
  const { command, contexts, environment, signal } = job;
  const { tools, keys, log } = environment;
  return stageJob({
    attempt: command,
    plans,
    maskingKey: keys.maskingKey,
    fingerprint: fingerprintOf(command, plans, jobKeys, keys.maskingKey, models),
    needsOrder: ({ index }) => needsRowOrder(masks[index]?.values() ?? []),
    ...ahead,
    snapshot,
    source,
    target,
    tools,
    sourceVersion: server.majorVersion,
    chunkBytes: environment.copy.chunkBytes,
    contexts,
    patience: lockPatience(job),
    log,
    signal,
  });
}

function dumpDefinition(
  { contexts, environment, signal }: RunningJob,
  { source, server, snapshot }: JobDatabases,
): DefinitionDump {
  return new DefinitionDump({
    snapshot,
    source: source.target,
    sourceVersion: server.majorVersion,
    tools: environment.tools,
    context: contexts.on('source'),
    signal,
  });
}

function exchangeDump(
  { contexts, environment, signal }: RunningJob,
  { target, snapshot }: JobDatabases,
  plans: readonly TablePlan[],
): ExchangeDump {
  const { copy, tools, log } = environment;
  const fromBytes = copy.exchangeFromBytes;
  return new ExchangeDump({
    plans,
    source: snapshot.client,
    target,
    fromBytes,
    tools,
    contexts,
    log,
    signal,
  });
}

async function measure(
  { contexts }: RunningJob,
  plans: readonly TablePlan[],
  { client }: Snapshot,
): Promise<readonly TableSize[]> {
  const sizes: TableSize[] = [];
  for (const { source, index, rowFilter } of plans) {
    const whole = await guard(contexts.on('source', index), () => measureTable(client, source));
    sizes.push(rowFilter === undefined ? whole : sizeOfPart(whole, rowFilter.count));
  }
  return sizes;
}
