import { guard } from '../../session/guard.js';
import type { SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { findsRow } from './ask-rows.js';
import { CarriedExpressions } from './copied-expressions.js';
import { possibleCheckViolations } from './possible-check-violations.js';
import { type PossibleViolation, type Sides, violation } from './possible-violation.js';
import { possibleUniqueViolations } from './possible-unique-violations.js';

/** Each is a pass over the rows: of a table with more constraints the run finds the rest. */
const MAX_QUESTIONS = 100;

/**
 * Constraints of existing target tables that the rows would break which the source has now: keys that the source does not
 * have, and checks of another wording. Columns with rules are left out: what they will hold is not known. Only yes or no is asked of
 * the rows, and only of the rows that the job would copy.
 */
export async function predictViolations(
  plans: readonly TablePlan[],
  sides: Sides,
): Promise<readonly SyncFailure[]> {
  const failures: SyncFailure[] = [];
  for (const plan of plans) {
    const { source, contexts } = sides;
    for (const candidate of (await possibleViolations(plan, sides)).slice(0, MAX_QUESTIONS)) {
      const found = await guard(contexts.on('source', plan.index), () => findsRow(source, candidate.query));
      if (found === true) failures.push(violation(plan, candidate));
    }
  }
  return failures;
}

async function possibleViolations(plan: TablePlan, sides: Sides): Promise<readonly PossibleViolation[]> {
  if (plan.target === undefined) return [];
  const expressions = await CarriedExpressions.of(plan, sides);
  return [
    ...(await possibleUniqueViolations(plan, sides, expressions)),
    ...(await possibleCheckViolations(plan, sides, expressions)),
  ];
}
