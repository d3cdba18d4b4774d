import {
  type CellMask,
  columnsWithModelText,
  compileColumnMask,
  compileJsonMask,
  insertOnly,
  type MaskingContext,
  MaskingRuleError,
  resolveDiffers,
} from '@understudy/masking';
import { jsonPathFinder } from './json-path-finder.js';
import type { ColumnDescription } from '@understudy/postgres';
import { columnFailure } from './problems/column-failure.js';
import { ProblemList } from './problems/problem-list.js';
import { defined } from '@understudy/sync-job';
import type { ColumnFill, ColumnPlan, TablePlan } from './table-plan.js';

export interface CompileMasksOptions extends Omit<MaskingContext, 'table'> {
  /** Returns true for a column whose rule is compiled later, because its model is not trained yet. */
  readonly skip?: (column: ColumnPlan) => boolean;
}

/** The compiled rules of a table, by column name. */
export type TableMasks = ReadonlyMap<string, CellMask>;

/** The compiled rules of a job, by table index. */
export type JobMasks = ReadonlyMap<number, TableMasks>;

/**
 * Compiles the rules of all tables.
 * @throws SyncJobError as {@link compileMasks} does, for the first table with a problem
 */
export function compileAll(plans: readonly TablePlan[], options: CompileMasksOptions): JobMasks {
  return new Map(plans.map((plan) => [plan.index, compileMasks(plan, options)]));
}

/**
 * Compiles the rules of a table's columns. Tries all rules before it throws.
 * @throws SyncJobError with a code of `MaskingRuleError` for the first problem, with a list of
 * all problems
 */
export function compileMasks(
  plan: TablePlan,
  { skip, ...context }: CompileMasksOptions,
): ReadonlyMap<string, CellMask> {
  const produced = producedColumns(plan);
  const masks = new Map<string, CellMask>();
  const problems = new ProblemList();
  for (const column of plan.columns) {
    const { fill, description } = column;
    if (fill.kind !== 'produce' || skip?.(column) === true) continue;
    const table = `${plan.name.schema}.${plan.name.table}`;
    const compile = () => compileMask(plan, description, fill, produced, { ...context, table });
    const masked = problems.try(() => blame(plan, compile));
    if (masked !== undefined) masks.set(description.name, masked);
  }
  problems.throwIfAny();
  const finalized = finalizeTable(plan, masks, { bindings: produced, ...context }, problems);
  problems.throwIfAny();
  return finalized;
}

/**
 * Applies `insertOnly` and `resolveDiffers` to the compiled masks. `resolveDiffers` leaves a mask unchanged if it
 * reads a column that was skipped.
 */
function finalizeTable(
  plan: TablePlan,
  masks: ReadonlyMap<string, CellMask>,
  {
    bindings,
    refusesChosenText = false,
  }: Pick<MaskingContext, 'refusesChosenText'> & { readonly bindings: readonly string[] },
  problems: ProblemList,
): ReadonlyMap<string, CellMask> {
  const modelColumns = columnsWithModelText(masks.values());
  const finalized = new Map<string, CellMask>();
  for (const { fill, description } of plan.columns) {
    const mask = masks.get(description.name);
    if (mask === undefined || fill.kind !== 'produce') continue;
    const isProtected = fill.isProtected === true || fill.sharesProtected === true;
    const isWhole = mask.references.every((name) => masks.has(name));
    const finalize = () => {
      const allowed = refusesChosenText ? insertOnly(mask, { modelColumns, isProtected }) : mask;
      return isWhole ? resolveDiffers(allowed, { masks, bindings, isProtected }) : allowed;
    };
    const kept = problems.try(() => blame(plan, finalize));
    if (kept !== undefined) finalized.set(description.name, kept);
  }
  return finalized;
}

function compileMask(
  plan: TablePlan,
  { name, isText, isBlankPadded, maxLength: ownLength }: ColumnDescription,
  { rule, path, shared }: Extract<ColumnFill, { kind: 'produce' }>,
  produced: readonly string[],
  context: MaskingContext,
): CellMask {
  if (rule.kind === 'json') return compileJsonMask({ name, path, rule }, produced, context, jsonPathFinder);
  const maxLength = shared?.maxLength ?? shorter(ownLength, targetLength(plan, name));
  const canonical = shared?.canonical ?? (isBlankPadded ? ('padded' as const) : undefined);
  const column = {
    ...{ name, path, rule, isText, isBlankPadded },
    ...defined({ maxLength, canonical, sharedKey: shared && { table: shared.table, name: shared.name } }),
  };
  return compileColumnMask(column, produced, context);
}

/** Lists the columns that a table's templates may refer to, in the order of the plan. */
export function producedColumns(plan: TablePlan): readonly string[] {
  return plan.columns
    .filter(({ fill }) => fill.kind === 'produce')
    .map(({ description }) => description.name);
}

/** Runs a compile step. Converts a MaskingRuleError into a SyncJobError with the index of the column. */
export function blame<T>(plan: TablePlan, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof MaskingRuleError)) throw cause;
    throw columnFailure(plan, cause.column, cause.code, cause);
  }
}

function targetLength(plan: TablePlan, name: string): number | undefined {
  return plan.target?.columns.find((column) => column.name === name)?.maxLength;
}

/** Returns the smaller of two lengths. Undefined means unlimited. */
export function shorter(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
