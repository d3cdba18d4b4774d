import { parseColumnRule } from '@understudy/column-rule';
import { nearestName } from '@understudy/expression';
import { type ColumnDescription, type TableDescription, sqlNames } from '@understudy/postgres';
import { type TableRules, type UnlistedColumns, SyncJobError, type SyncProblem } from '@understudy/sync-job';
import { ProblemList } from './problems/problem-list.js';
import type { ColumnFill, ColumnPlan } from './table-plan.js';

export interface ColumnPlanRequest {
  readonly tableIndex: number;
  readonly rules: TableRules;
  readonly unlisted: UnlistedColumns;
  readonly source: TableDescription;
  /** Whether the target's column is not generated, although the source's is. */
  readonly isPlainOnTarget?: (column: ColumnDescription) => boolean;
  readonly refusesPreserve: (column: ColumnDescription) => boolean;
  /** Returns the smallest allowed `min_values`, or undefined if no model may be trained on the column. */
  readonly trainingFloor: (column: ColumnDescription) => number | undefined;
}

interface ListedColumn {
  readonly index: number;
  /** Undefined if the rule of the column has a problem. */
  readonly fill: ColumnFill | undefined;
}

/**
 * Decides how each column of a table is filled. Checks all columns before it throws. Pure.
 * @throws SyncJobError column_not_found, column_unlisted, listed_twice, rule_invalid, column_generated,
 * json_paths_refused, policy_denied, training_not_allowed, min_values_too_low or constraint_violation for the
 * first problem, with a list of all problems
 */
export function planColumns(request: ColumnPlanRequest): readonly ColumnPlan[] {
  const { source } = request;
  const problems = new ProblemList();
  const listed = readListed(request, problems);
  const isWritten = ({ name, isGenerated }: ColumnDescription) =>
    !isGenerated || (listed.has(name) && listed.get(name)?.fill?.kind !== 'preserve');
  const plans = source.columns.filter(isWritten).flatMap((description) => {
    const found = listed.get(description.name);
    const plan = problems.try(() => planColumn(description, found, request));
    return plan ?? [];
  });
  problems.throwIfAny();
  return plans;
}

function readListed(
  { tableIndex, rules, source, isPlainOnTarget }: ColumnPlanRequest,
  problems: ProblemList,
): ReadonlyMap<string, ListedColumn> {
  const described = new Map(source.columns.map((column) => [column.name, column]));
  const listed = new Map<string, ListedColumn>();
  rules.columns.forEach(({ name, rule }, index) => {
    const fill = problems.try(() => {
      const description = described.get(name);
      if (description === undefined)
        throw notFound(name, described.keys(), { tableIndex, columnIndex: index });
      if (listed.has(name)) throw new SyncJobError({ code: 'listed_twice', tableIndex, columnIndex: index });
      const isComputed = description.isGenerated && isPlainOnTarget?.(description) !== true;
      return fillOf(rule, tableIndex, index, { ...description, isGenerated: isComputed });
    });
    if (!listed.has(name)) listed.set(name, { index, fill });
  });
  return listed;
}

/** Plans one column. @returns undefined if its rule has a problem that was already reported */
function planColumn(
  description: ColumnDescription,
  listed: ListedColumn | undefined,
  request: ColumnPlanRequest,
): ColumnPlan | undefined {
  const { tableIndex, refusesPreserve } = request;
  const fill = listed === undefined ? fillOfUnlisted(description, request) : listed.fill;
  if (fill === undefined) return undefined;
  if (keepsOriginals(fill) && refusesPreserve(description)) {
    const denied = { code: 'policy_denied', tableIndex } as const;
    if (listed === undefined) throw about(description, denied);
    throw new SyncJobError({ ...denied, columnIndex: listed.index });
  }
  if (listed !== undefined) refuseTraining(description, fill, listed.index, request);
  if (fill.kind !== 'produce' || !refusesPreserve(description)) return { description, fill };
  return { description, fill: { ...fill, isProtected: true } };
}

function refuseTraining(
  description: ColumnDescription,
  fill: ColumnFill,
  columnIndex: number,
  { tableIndex, trainingFloor }: ColumnPlanRequest,
): void {
  if (fill.kind !== 'produce' || fill.rule.kind !== 'model' || fill.rule.train === undefined) return;
  const floor = trainingFloor(description);
  if (floor === undefined) throw new SyncJobError({ code: 'training_not_allowed', tableIndex, columnIndex });
  if (fill.rule.train.minValues < floor)
    throw new SyncJobError({ code: 'min_values_too_low', tableIndex, columnIndex });
}

/**
 * Returns whether original values of a column reach the target. A rule with json paths changes only the
 * values that its paths name.
 */
function keepsOriginals(fill: ColumnFill): boolean {
  return fill.kind === 'preserve' || (fill.kind === 'produce' && fill.rule.kind === 'json');
}

function fillOf(
  rule: unknown,
  tableIndex: number,
  columnIndex: number,
  { name, isGenerated, isJson }: ColumnDescription,
): ColumnFill {
  const path = `tables[${tableIndex}].columns.${name}`;
  // The job was accepted before, perhaps by an earlier version.
  const parsed = parseColumnRule(rule, path, { isStored: true });
  if ('problems' in parsed) {
    const reason = parsed.problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
    throw new SyncJobError({ code: 'rule_invalid', tableIndex, columnIndex }, { cause: new Error(reason) });
  }
  if (parsed.rule.kind === 'preserve') return { kind: 'preserve' };
  if (isGenerated) {
    throw new SyncJobError({ code: 'column_generated', tableIndex, columnIndex });
  }
  if (parsed.rule.kind === 'json' && !isJson) {
    throw new SyncJobError({ code: 'json_paths_refused', tableIndex, columnIndex });
  }
  return { kind: 'produce', rule: parsed.rule, path };
}

function fillOfUnlisted(column: ColumnDescription, { unlisted, tableIndex }: ColumnPlanRequest): ColumnFill {
  if (unlisted === 'preserve') return { kind: 'preserve' };
  if (unlisted === 'reject') throw about(column, { code: 'column_unlisted', tableIndex });
  // Columns of keys are always preserved, because the table's rows are invalid without them.
  if (column.keyPosition !== undefined || column.inForeignKey) return { kind: 'preserve' };
  if (column.notNull) {
    const constraintKind = 'not_null';
    throw about(column, { code: 'constraint_violation', side: 'target', tableIndex, constraintKind });
  }
  return { kind: 'null' };
}

/**
 * Returns an error about a column that the command does not list. Such a column has no index, so `problems`
 * holds its name.
 */
function about({ name }: ColumnDescription, failure: Omit<SyncProblem, 'column'>): SyncJobError {
  const problems = [{ ...failure, ...sqlNames({ column: name }) }];
  return new SyncJobError({ ...failure, problems, problemCount: 1 });
}

/** Returns the error of a rule for an unknown column. If the table has a column with a similar name, includes it. */
function notFound(
  name: string,
  known: Iterable<string>,
  location: Pick<SyncProblem, 'tableIndex' | 'columnIndex'>,
): SyncJobError {
  const failure = { code: 'column_not_found', side: 'source', ...location } as const;
  const similar = sqlNames({ column: nearestName(name, known) });
  const problems = [{ ...failure, ...similar }];
  return new SyncJobError(similar.column === undefined ? failure : { ...failure, problems, problemCount: 1 });
}
