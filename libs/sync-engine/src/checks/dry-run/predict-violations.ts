import type { SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { findsRow } from '../../session/query-rows.js';
import { CopiedExpressions } from './copied-expressions.js';
import { possibleCheckViolations } from './possible-check-violations.js';
import { type PossibleViolation, type Sides, violation } from './possible-violation.js';
import { possibleUniqueViolations } from './possible-unique-violations.js';

/** The largest number of constraints to check for each table, because each check reads all rows. */
const MAX_CONSTRAINTS = 100;

/**
 * Finds constraints of existing target tables that the source's present rows would violate: unique keys and
 * CHECK constraints that the source does not have. Constraints on columns with rules are left out, because
 * the new values are unknown. Each query reads only the rows that the job would copy and returns only yes or
 * no.
 */
export async function predictViolations(
  plans: readonly TablePlan[],
  sides: Sides,
): Promise<readonly SyncFailure[]> {
  const failures: SyncFailure[] = [];
  for (const plan of plans) {
    const source = sides.source.at(plan.index);
    for (const candidate of (await possibleViolations(plan, sides)).slice(0, MAX_CONSTRAINTS)) {
      const found = await findsRow(source, candidate.query);
      if (found === true) failures.push(violation(plan, candidate));
    }
  }
  return failures;
}

async function possibleViolations(plan: TablePlan, sides: Sides): Promise<readonly PossibleViolation[]> {
  if (plan.target === undefined) return [];
  const expressions = await CopiedExpressions.of(plan, sides);
  return [
    ...(await possibleUniqueViolations(plan, sides, expressions)),
    ...(await possibleCheckViolations(plan, sides, expressions)),
  ];
}
