import { parseRowCondition } from '@understudy/row-condition';
import { guard } from '../../postgres/guard.js';
import { quoteIdentifier } from '../../postgres/quote.js';
import type { Client } from '../../postgres/session.js';
import { CHECK_CONSTRAINTS, UNIQUE_COLUMNS } from '../../postgres/table-constraints.sql.js';
import type { FailureContexts } from '../failure-contexts.js';
import { readConditionColumns } from '../subset/condition-columns.js';
import { ConditionMismatch, conditionSql } from '../subset/condition-sql.js';
import { copiedRows } from '../subset/copied-rows.js';
import type { ConstraintKind, SyncFailure } from '../sync-job-error.js';
import type { TablePlan } from '../table-plan.js';

export interface Sides {
  /** In the snapshot. */
  readonly source: Client;
  readonly target: Client;
  readonly contexts: FailureContexts;
}

/** A constraint of the target that may refuse rows, and the question to the source whether there are such rows. */
interface Doubt {
  readonly kind: ConstraintKind;
  readonly columns: readonly string[];
  readonly query: string;
}

/**
 * Constraints of existing target tables that the rows would break which the source has now: unique ones that the source does not
 * have, and checks of another wording, as far as they are comparisons that a `where` could make. Columns with rules are
 * left out: what they will hold is not known. Only yes or no is asked of the rows, and only the rows that the job would copy.
 */
export async function predictViolations(
  plans: readonly TablePlan[],
  sides: Sides,
): Promise<readonly SyncFailure[]> {
  const failures: SyncFailure[] = [];
  for (const plan of plans) {
    const { source, contexts } = sides;
    for (const doubt of await doubtsOf(plan, sides)) {
      const { rows } = await guard(contexts.on('source', plan.index), () =>
        source.query<{ found: boolean }>(`SELECT EXISTS (${doubt.query}) AS found`),
      );
      if (rows[0]?.found === true) failures.push(violation(plan, doubt));
    }
  }
  return failures;
}

async function doubtsOf(plan: TablePlan, sides: Sides): Promise<readonly Doubt[]> {
  if (plan.target === undefined) return [];
  const kept = new Set(
    plan.columns.filter(({ fill }) => fill.kind === 'preserve').map(({ description }) => description.name),
  );
  const doubts = [...(await uniqueDoubts(plan, sides)), ...(await checkDoubts(plan, sides))];
  return doubts.filter(({ columns }) => columns.length > 0 && columns.every((column) => kept.has(column)));
}

async function uniqueDoubts(plan: TablePlan, { source, target, contexts }: Sides): Promise<readonly Doubt[]> {
  const read = (side: 'source' | 'target', client: Client, oid: string) =>
    guard(contexts.on(side, plan.index), async () => {
      const { rows } = await client.query<{ columns: string[] }>(UNIQUE_COLUMNS, [oid]);
      return rows.map(({ columns }) => columns);
    });
  const known = await read('source', source, plan.source.oid);
  const wanted = await read('target', target, plan.target?.oid ?? '0');
  // Who has no two rows with the same few columns has none with the same and more.
  const open = wanted.filter(
    (columns) => !known.some((few) => few.every((column) => columns.includes(column))),
  );
  return open.map((columns) => {
    const names = columns.map(quoteIdentifier);
    const isWhole = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
    const query = `SELECT FROM ${copiedRows(plan)} WHERE ${isWhole} GROUP BY ${names.join(', ')} HAVING count(*) > 1`;
    return { kind: 'unique', columns, query };
  });
}

async function checkDoubts(plan: TablePlan, { source, target, contexts }: Sides): Promise<readonly Doubt[]> {
  const read = (side: 'source' | 'target', client: Client, oid: string) =>
    guard(contexts.on(side, plan.index), async () => {
      const { rows } = await client.query<{ expression: string; is_validated: boolean; columns: string[] }>(
        CHECK_CONSTRAINTS,
        [oid],
      );
      return rows;
    });
  const known = new Set(
    (await read('source', source, plan.source.oid))
      .filter(({ is_validated: isValidated }) => isValidated)
      .map(({ expression }) => expression),
  );
  const wanted = await read('target', target, plan.target?.oid ?? '0');
  const types = await guard(contexts.on('source', plan.index), () =>
    readConditionColumns(source, plan.source.oid),
  );
  const doubts: Doubt[] = [];
  for (const { expression, columns } of wanted) {
    if (known.has(expression)) continue;
    // The target's words are not run on the source: they are read like a user's, and written anew.
    const parsed = await parseRowCondition(expression);
    if ('problem' in parsed) continue;
    const condition = writtenOrUndefined(() => conditionSql(parsed.condition, types));
    if (condition === undefined) continue;
    doubts.push({ kind: 'check', columns, query: `SELECT FROM ${copiedRows(plan)} WHERE NOT ${condition}` });
  }
  return doubts;
}

function writtenOrUndefined(write: () => string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof ConditionMismatch) return undefined; // the source has other types; that is found elsewhere
    throw error;
  }
}

function violation({ index, columnIndex }: TablePlan, { kind, columns }: Doubt): SyncFailure {
  const listed = columns.flatMap((column) => columnIndex.get(column) ?? []);
  const place = columns.length === 1 && listed[0] !== undefined ? { columnIndex: listed[0] } : {};
  return { code: 'constraint_violation', side: 'target', tableIndex: index, constraintKind: kind, ...place };
}
