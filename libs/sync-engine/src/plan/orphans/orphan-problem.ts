import { sqlName } from '@understudy/postgres';
import { defined, type SyncProblem, type SyncWarning } from '@understudy/sync-job';
import { columnPosition } from '../problems/column-failure.js';
import type { TablePlan } from '../table-plan.js';

/** A foreign key between two tables of the job, by its name and its columns. */
export interface NamedKey {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Describes rows of the source that reference a row which the copy does not have. */
export function orphanProblem(plan: Pick<TablePlan, 'index' | 'columnIndex'>, key: NamedKey): SyncProblem {
  const [column = '', ...others] = key.columns;
  const isListed = plan.columnIndex.has(column);
  const position = others.length > 0 ? { tableIndex: plan.index } : columnPosition(plan, column);
  return {
    ...{ code: 'orphans_found', side: 'source', constraintKind: 'foreign_key', ...position },
    ...defined({
      column: others.length > 0 || isListed ? undefined : sqlName(column),
      constraint: sqlName(key.name),
    }),
  };
}

/** Warns about a foreign key whose orphans the job leaves out or keeps. */
export function orphanWarning(
  code: 'orphans_skipped' | 'orphans_kept',
  tableIndex: number,
  { name }: Pick<NamedKey, 'name'>,
): SyncWarning {
  return { code, tableIndex, ...defined({ constraint: sqlName(name) }) };
}

/**
 * Tests whether the columns of a foreign key reference the rows that they reference on the source. Otherwise, a rule makes
 * the references, or they are NULL.
 * @param isMasked tests whether the n-th referenced column is masked, so that propagating rules will mask this one, too
 */
export function keepsReferences(
  plan: Pick<TablePlan, 'columns'>,
  columns: readonly string[],
  isMasked: (n: number) => boolean = () => false,
): boolean {
  return columns.every((name, n) => {
    const fill = plan.columns.find(({ description }) => description.name === name)?.fill;
    // A generated column may read any other column.
    if (fill === undefined) return plan.columns.every((one) => one.fill.kind !== 'produce');
    if (fill.kind !== 'produce') return fill.kind === 'preserve';
    return fill.shared !== undefined || isMasked(n);
  });
}
