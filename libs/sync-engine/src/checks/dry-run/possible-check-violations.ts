import { parseRowCondition } from '@understudy/row-condition';
import { CHECK_CONSTRAINTS } from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import { type ConditionColumn, readConditionColumns } from '../../plan/subset/condition-columns.js';
import { ConditionMismatch, conditionSql } from '../../plan/subset/condition-sql.js';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { type CopiedExpressions, keptColumns } from './copied-expressions.js';
import type { PossibleViolation, Sides } from './possible-violation.js';

interface CheckConstraint {
  readonly name: string;
  readonly expression: string;
  readonly is_validated: boolean;
  readonly columns: readonly string[];
}

/** Finds CHECK constraints that only the target has and that can be evaluated on the source's rows. */
export async function possibleCheckViolations(
  plan: TablePlan,
  { source, target }: Sides,
  expressions: CopiedExpressions,
): Promise<readonly PossibleViolation[]> {
  const read = async (client: LocatedClient, oid: string) =>
    (await client.at(plan.index).query<CheckConstraint>(CHECK_CONSTRAINTS, [oid])).rows;
  const onSource = await read(source, plan.source.oid);
  const known = new Set(
    onSource.filter(({ is_validated: isValidated }) => isValidated).map(({ expression }) => expression),
  );
  const wanted = await read(target, plan.target?.oid ?? '0');
  const types = await readConditionColumns(source.at(plan.index), plan.source.oid);
  const kept = keptColumns(plan);
  const candidates: PossibleViolation[] = [];
  for (const { name, expression, columns } of wanted) {
    if (known.has(expression) || columns.length === 0 || !columns.every((column) => kept.has(column)))
      continue;
    const copied = await expressions.copy(expression);
    const condition = copied === undefined ? await rewritten(expression, types) : `(${copied.sql})`;
    if (condition === undefined) continue;
    candidates.push({
      kind: 'check',
      name,
      columns,
      query: `SELECT FROM ${copiedRows(plan)} WHERE NOT ${condition}`,
    });
  }
  return candidates;
}

/**
 * Rewrites a CHECK constraint for source columns whose types differ from the target's. It parses the
 * constraint like the `where` of a subset.
 * @returns undefined if it cannot be rewritten
 */
async function rewritten(expression: string, types: readonly ConditionColumn[]): Promise<string | undefined> {
  const parsed = await parseRowCondition(expression);
  if ('problem' in parsed) return undefined;
  try {
    return conditionSql(parsed.condition, types);
  } catch (error) {
    if (error instanceof ConditionMismatch) return undefined; // another check reports that the types differ
    throw error;
  }
}
