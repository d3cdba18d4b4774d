import {
  FEEDING_SEQUENCES,
  quoteIdentifier,
  quoteLiteral,
  quoteTable,
  type Client,
} from '@understudy/postgres';
import type { TableName, VerificationCheck } from '@understudy/sync-job';
import { guard, type FailureContext } from '../session/guard.js';
import type { TablePlan } from '../plan/table-plan.js';

/**
 * Checks the sequences of the job's tables. The next value of an ascending sequence must be greater than all values of
 * its column. Descending sequences are not checked.
 */
export async function verifySequences(
  plans: readonly Pick<TablePlan, 'index' | 'name'>[],
  target: Client,
  contextOf: (tableIndex: number) => FailureContext,
): Promise<readonly VerificationCheck[]> {
  const checks: VerificationCheck[] = [];
  for (const { index: tableIndex, name } of plans) {
    const oks = await guard(contextOf(tableIndex), () => sequencesOf(target, name));
    if (oks.length > 0) {
      checks.push({ kind: 'sequences', tableIndex, ok: oks.every(Boolean), lookedAt: oks.length });
    }
  }
  return checks;
}

async function sequencesOf(target: Client, name: TableName): Promise<readonly boolean[]> {
  const table = quoteTable(name);
  const sequences = await target.query<TableName & { column: string }>(FEEDING_SEQUENCES, [table]);
  if (sequences.rows.length === 0) return [];
  const checks = sequences.rows.map((sequence) => {
    const own = quoteTable(sequence);
    return `SELECT q.seqincrement < 0 OR m.greatest IS NULL
                OR m.greatest < s.last_value + CASE WHEN s.is_called THEN q.seqincrement ELSE 0 END AS ok
              FROM (SELECT pg_catalog.max(${quoteIdentifier(sequence.column)})::int8 AS greatest FROM ${table}) m, ${own} s,
                   pg_catalog.pg_sequence q WHERE q.seqrelid = ${quoteLiteral(own)}::pg_catalog.regclass`;
  });
  const { rows } = await target.query<{ ok: boolean }>(checks.join(' UNION ALL '));
  return rows.map(({ ok }) => ok);
}
