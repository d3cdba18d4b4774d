import type { JobMasks } from '../../plan/compile-masks.js';
import { openJobSession } from '../../session/open-session.js';

import { openSource } from '../../attempt/attempt-sessions.js';
import { sessionName } from '../../session/job-attempt.js';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { RowComparison } from '../../verify/row-comparison.js';
import type { VerificationCheck } from '@understudy/sync-job';
import type { TargetCheck } from './target-check.js';
import {
  asTargetCheck,
  type ComparedDatabases,
  type TargetVerificationContext,
} from './target-verification.js';

/**
 * Compares whole tables: row counts, checksums of preserved columns, and whether nulled columns contain only
 * NULL.
 */
export async function compareRows(
  plans: readonly TablePlan[],
  masks: JobMasks,
  { source, target, snapshot }: ComparedDatabases,
  { command, environment, contexts, copied, signal }: TargetVerificationContext,
): Promise<readonly TargetCheck[]> {
  const request = {
    plans,
    masks,
    stagedAs: ({ name }: TablePlan) => name,
    isInParts: (plan: TablePlan) => plan.target?.isPartitioned === true,
    sourceRows: copiedRows,
    connections: environment.copy.connections,
  };
  const rows = await RowComparison.plan(request, source.client, target.client);
  const openTarget = () => openJobSession(target.target, 'target', sessionName(command));
  await rows.readSource(
    async () => contexts.locate(await openSource({ command }, { source, snapshot })),
    signal,
  );
  await rows.readTarget(async () => contexts.locate(await openTarget()), signal);
  const checks = rows.checks(copied);
  const moved = new Set(
    checks.flatMap((check) =>
      check.kind === 'row_count' && hasMovedOn(check, copied) ? [check.tableIndex] : [],
    ),
  );
  return checks.flatMap((check): readonly TargetCheck[] => {
    const { tableIndex } = check;
    if (check.kind === 'row_count') {
      const { source: now, target: there } = check.rows;
      const before = copied.get(tableIndex);
      const outcome = there === (before ?? now) ? 'holds' : 'fails';
      return [
        { kind: 'row_count', tableIndex, outcome, rows: { source: now, target: there, copied: before } },
      ];
    }
    // This result comes from a copy, which did not happen here. `compareColumns` and `recomputeColumns` check
    // masked columns.
    if (check.kind === 'masked_columns') return [];
    const isPointless = check.kind === 'preserved_columns' && !check.ok && moved.has(tableIndex);
    return [isPointless ? { ...asTargetCheck(check), outcome: 'not_comparable' } : asTargetCheck(check)];
  });
}

function hasMovedOn(
  { tableIndex, rows }: Extract<VerificationCheck, { kind: 'row_count' }>,
  copied: ReadonlyMap<number, number>,
): boolean {
  const before = copied.get(tableIndex);
  return before !== undefined && before !== rows.source;
}
