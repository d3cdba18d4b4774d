import type { AgentVerification, SyncJobEvent } from '@understudy/agent-protocol';
import { type Names } from '@understudy/sync-job';

import { VERIFICATION_CHECKS, type JobDefinition, type JobVerification } from '../sync-job.js';

/**
 * The limit on stored checks is this number times the number of tables. Further checks are dropped. Our
 * agents report only a few for each table.
 */
const MAX_CHECKS_A_TABLE = 16;

/**
 * Returns the verification after an event. Pure. Only an event that ends an attempt can report a
 * verification. This verification replaces that of an earlier attempt.
 */
export function verificationAfter(
  known: JobVerification | null,
  body: SyncJobEvent['body'],
  definition: JobDefinition,
  names: Names,
): JobVerification | null {
  const reported =
    body.type === 'completed'
      ? body.verification
      : body.type === 'failed'
        ? body.failure.verification
        : undefined;
  return reported === undefined ? known : verificationOf(reported, definition, names);
}

function verificationOf(
  { checks }: AgentVerification,
  { tables }: JobDefinition,
  names: Names,
): JobVerification {
  return {
    checks: checks
      .slice(0, tables.length * MAX_CHECKS_A_TABLE)
      .flatMap(({ kind, tableIndex, columnIndex, ok, lookedAt, rows }) => {
        const table = names.table(tableIndex);
        if (table === undefined) return [];
        const check = VERIFICATION_CHECKS.find((name) => name === kind) ?? 'other';
        const column = names.column(tableIndex, columnIndex) ?? null;
        return [{ check, table, ok, column, lookedAt: rows ? null : lookedAt, rows: rows ?? null }];
      }),
  };
}
