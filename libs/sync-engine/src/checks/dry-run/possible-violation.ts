import { sqlNames } from '@understudy/postgres';
import { columnLocation } from '../../plan/preflight/compare-columns.js';
import type { LocatedClient } from '../../session/located-client.js';
import { type ConstraintKind, defined, type SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';

export interface Sides {
  /** A client whose transaction uses the job's snapshot of the source. */
  readonly source: LocatedClient;
  /** A client that is not in a transaction. */
  readonly target: LocatedClient;
}

/** A constraint of the target that may refuse rows of the source. */
export interface PossibleViolation {
  readonly kind: ConstraintKind;
  /** The name in the target's catalogs. */
  readonly name: string;
  readonly columns: readonly string[];
  /** A query for the source that returns a row if the constraint would refuse any row. */
  readonly query: string;
}

/**
 * Returns the failure for a violated constraint. If the constraint has exactly one column, the failure also
 * identifies this column.
 */
export function violation(
  { index, columnIndex }: Pick<TablePlan, 'index' | 'columnIndex'>,
  { kind, name, columns }: Omit<PossibleViolation, 'query'>,
): SyncFailure {
  const [only, ...more] = columns;
  const location = only === undefined || more.length > 0 ? undefined : columnLocation(columnIndex, only);
  const failure = {
    ...({ code: 'constraint_violation', side: 'target', tableIndex: index, constraintKind: kind } as const),
    ...defined({ columnIndex: location?.columnIndex }),
  };
  const problem = { ...failure, ...location, ...sqlNames({ constraint: name }) };
  return { ...failure, problems: [problem], problemCount: 1 };
}
