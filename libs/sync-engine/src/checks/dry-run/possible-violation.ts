import { type Client, sqlName } from '@understudy/postgres';
import type { FailureContexts } from '../../session/failure-contexts.js';
import type { ConstraintKind, SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';

export interface Sides {
  /** In the snapshot. */
  readonly source: Client;
  /** In no transaction. */
  readonly target: Client;
  readonly contexts: FailureContexts;
}

/** A constraint of the target that may refuse rows, and the question to the source whether there are such rows. */
export interface PossibleViolation {
  readonly kind: ConstraintKind;
  /** As the target's catalogs have it. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Finds a row that the constraint would refuse. */
  readonly query: string;
}

/** Says which constraint, and at which column if it is about one alone. */
export function violation(
  { index, columnIndex }: Pick<TablePlan, 'index' | 'columnIndex'>,
  { kind, name, columns }: Omit<PossibleViolation, 'query'>,
): SyncFailure {
  const [only, ...more] = columns;
  const listed = only === undefined || more.length > 0 ? undefined : columnIndex.get(only);
  const failure = {
    ...({ code: 'constraint_violation', side: 'target', tableIndex: index, constraintKind: kind } as const),
    ...(listed === undefined ? {} : { columnIndex: listed }),
  };
  const column = only === undefined || more.length > 0 || listed !== undefined ? undefined : sqlName(only);
  const constraint = sqlName(name);
  const problem = {
    ...failure,
    ...(column === undefined ? {} : { column }),
    ...(constraint === undefined ? {} : { constraint }),
  };
  return { ...failure, problems: [problem], problemCount: 1 };
}
