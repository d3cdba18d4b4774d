import type { JobMasks } from '../../../plan/compile-masks.js';
import { createHash } from 'node:crypto';
import { type CellMask, masksWithin } from '@understudy/masking';
import type { LocatedClient } from '../../../session/located-client.js';
import { type PlannedRules, finalizeRules } from '../../../plan/plan-rules.js';
import { measureTable } from '../../../progress/measure-table.js';
import { ProgressMeter } from '../../../progress/progress-meter.js';
import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../../plan/table-plan.js';
import type { RowsNow, TargetCheck } from '../target-check.js';
import type { ComparedDatabases, TargetVerificationContext } from '../target-verification.js';
import { columnDigests, differingColumns, writtenColumns } from './differing-columns.js';
import { digestsOf, type DigestSeeds } from './digest-sql.js';
import { digestBoth } from './digest-both.js';
import type { TableDigest } from './digest-table.js';

export type RecomputedCheck = Extract<TargetCheck, { kind: 'recomputed_columns' }>;
type Reason = NonNullable<RecomputedCheck['reason']>;

/** The row counts by table index. */
export type RowsByTable = ReadonlyMap<number, RowsNow>;

/**
 * Masks the source's rows again and compares them with the target's rows. It first compares the sums of the
 * digests of whole rows, which do not depend on the order of the rows. If the sums of a table differ, a
 * second pass finds the columns that differ.
 * @param masks the compiled masks by table index
 * @returns a check for each table with masked columns
 */
export async function recomputeColumns(
  rules: PlannedRules,
  masks: JobMasks,
  rows: RowsByTable,
  databases: ComparedDatabases,
  request: TargetVerificationContext,
): Promise<readonly RecomputedCheck[]> {
  const ruled = rules.plans.filter((plan) => maskedColumns(plan).length > 0 && plan.target !== undefined);
  if (ruled.length === 0) return [];
  const inGeneral = await reasonForAll(databases.target.client, request);
  const reasons = new Map(ruled.map((plan) => [plan.index, inGeneral ?? reasonByRows(rows.get(plan.index))]));
  const chosen = ruled.filter(({ index }) => reasons.get(index) === undefined);
  const hasMoved = [...rows.values()].some(({ copied, source }) => copied !== undefined && copied !== source);
  const found = await compare(chosen, { rules, masks, hasMoved }, databases, request);
  return ruled.map((plan): RecomputedCheck => {
    const { index: tableIndex } = plan;
    const isByRowLocation = plan.source.columns.every(({ keyPosition }) => keyPosition === undefined);
    const described = {
      ...({ kind: 'recomputed_columns', tableIndex } as const),
      ...{ columns: maskedColumns(plan), isByRowLocation },
    };
    const reason = reasons.get(tableIndex) ?? (found === 'source_moved' ? found : undefined);
    if (reason !== undefined || found === 'source_moved')
      return { ...described, differing: [], outcome: 'not_comparable', reason: reason ?? 'source_moved' };
    const differing = found.get(tableIndex);
    if (differing === undefined) return { ...described, differing: [], outcome: 'holds' };
    if (hasMoved && dependsOnOthers(plan, masks.get(tableIndex)))
      return { ...described, differing: [], outcome: 'not_comparable', reason: 'source_moved' };
    return { ...described, differing, outcome: 'fails' };
  });
}

/**
 * Compares the chosen tables.
 * @returns the columns that differ, by table index; `source_moved` if the rules do not fit the source's
 * present rows
 */
async function compare(
  chosen: readonly TablePlan[],
  {
    rules,
    masks: compiled,
    hasMoved,
  }: {
    readonly rules: PlannedRules;
    readonly masks: JobMasks;
    readonly hasMoved: boolean;
  },
  databases: ComparedDatabases,
  request: TargetVerificationContext,
): Promise<ReadonlyMap<number, readonly string[]> | 'source_moved'> {
  if (chosen.length === 0) return new Map();
  const { command, environment } = request;
  const clients = { source: databases.source.client, target: databases.target.client };
  let masks: JobMasks;
  try {
    masks = (await finalizeRules(rules, compiled, clients)).masks;
  } catch (error) {
    // The rules fitted the rows that were copied. They may not fit the source's present rows.
    if (hasMoved && error instanceof SyncJobError) return 'source_moved';
    throw error;
  }
  const { seed, referenceInstantMs } = command;
  const material = { maskingKey: environment.keys.maskingKey, seed, referenceInstantMs };
  const meter = await meterFor(chosen, rules.plans, databases.source.client, request);
  const seeds = verificationSeeds(command.jobId);
  try {
    const order = { plans: rules.plans, masks, material, onProgress: meter.moved };
    const whole = new Map(chosen.map((plan) => [plan.index, digestsOf(writtenColumns(plan), seeds)]));
    const rows = await digestBoth({ ...order, expressions: whole }, databases, request);
    const suspects = chosen.filter(({ index }) => !isSame(rows.made.get(index), rows.there.get(index)));
    if (suspects.length === 0) return new Map();
    const single = new Map(suspects.map((plan) => [plan.index, columnDigests(plan, seeds)]));
    const columns = await digestBoth({ ...order, expressions: single }, databases, request);
    return new Map(
      suspects.map((plan) => [
        plan.index,
        differingColumns(
          plan,
          columns.made.get(plan.index) ?? NO_ROWS,
          columns.there.get(plan.index) ?? NO_ROWS,
        ),
      ]),
    );
  } finally {
    meter.stop();
  }
}

const NO_ROWS: TableDigest = { rows: 0, sums: [] };

function isSame(made: TableDigest = NO_ROWS, there: TableDigest = NO_ROWS): boolean {
  return made.rows === there.rows && made.sums.every((sum, i) => sum === there.sums[i]);
}

/** Returns the reason why no table can be recomputed, if there is one. */
async function reasonForAll(
  target: LocatedClient,
  { run }: TargetVerificationContext,
): Promise<Reason | undefined> {
  if (run !== 'known') return run;
  const { rows } = await target.query<{ may: boolean }>(
    `SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY') AND NOT pg_catalog.pg_is_in_recovery() AS may`,
  );
  return rows[0]?.may === true ? undefined : 'no_temporary_tables';
}

function reasonByRows(rows: RowsNow | undefined): Reason | undefined {
  if (rows?.copied === undefined || rows.copied !== rows.source) return 'source_moved';
  return rows.target === rows.source ? undefined : 'rows_differ';
}

/** Returns whether the table's values, or the choice of its rows, depend on rows of other tables. */
function dependsOnOthers(plan: TablePlan, masks: ReadonlyMap<string, CellMask> = new Map()): boolean {
  if (plan.rowFilter !== undefined) return true;
  return [...masks.values()].flatMap(masksWithin).some(({ originalKey }) => originalKey !== undefined);
}

function maskedColumns({ columns }: TablePlan): readonly string[] {
  return columns.flatMap(({ fill, description }) => (fill.kind === 'produce' ? [description.name] : []));
}

function verificationSeeds(jobId: string): DigestSeeds {
  const hash = createHash('sha256').update(`verification ${jobId}`).digest();
  return [hash.readBigInt64BE(0), hash.readBigInt64BE(8)];
}

async function meterFor(
  chosen: readonly TablePlan[],
  plans: readonly TablePlan[],
  source: LocatedClient,
  { environment, onProgress }: TargetVerificationContext,
): Promise<ProgressMeter> {
  const meter = new ProgressMeter(
    {
      report: (progress) => {
        onProgress(progress);
        return Promise.resolve();
      },
    },
    environment.now,
  );
  const sizes = plans.map(() => ({ rows: 0, bytes: 0 }));
  for (const { index, source: table } of chosen) sizes[index] = await measureTable(source.at(index), table);
  meter.enter('copying');
  meter.expect(sizes);
  meter.start();
  return meter;
}
