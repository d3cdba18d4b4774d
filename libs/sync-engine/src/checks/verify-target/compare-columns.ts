import type { JobMasks } from '../../plan/compile-masks.js';
import { openJobSession } from '../../session/open-session.js';
import { releasingLocks } from '@understudy/postgres';
import type { CellMask } from '@understudy/masking';

import { openSource } from '../../attempt/attempt-sessions.js';
import { sessionName } from '../../session/job-attempt.js';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { rowsOf } from '../../verify/digest-rows.js';
import { compareMasked } from './compare-masked.js';
import type { TargetCheck } from './target-check.js';
import type { ComparedDatabases, TargetVerificationContext } from './target-verification.js';

/**
 * Compares the masked columns with the original values row by row. Rows of both sides are paired by a
 * preserved primary key. If a table has no such key, its columns are `not_comparable`. Columns whose rules
 * have json paths are not compared.
 */
export async function compareColumns(
  plans: readonly TablePlan[],
  masks: JobMasks,
  databases: ComparedDatabases,
  { command, contexts }: TargetVerificationContext,
): Promise<readonly TargetCheck[]> {
  const { sessions, target: first } = databases;
  const source = contexts.locate(await sessions.open(() => openSource({ command }, databases)));
  const open = () => openJobSession(first.target, 'target', sessionName(command));
  const target = contexts.locate(await sessions.open(open));
  await target.client.query('BEGIN READ ONLY');
  const checks: TargetCheck[] = [];
  for (const plan of plans) {
    const { index: tableIndex, name } = plan;
    const rules = masks.get(tableIndex) ?? new Map<string, CellMask>();
    const columns = [...rules].flatMap(([column, mask]) =>
      'differs' in mask ? [{ column, differs: mask.differs }] : [],
    );
    const key = preservedKey(plan);
    const described = columns.map(({ column, differs }) => ({
      ...({ kind: 'masked_column', tableIndex, column, differs } as const),
    }));
    if (columns.length === 0) continue;
    if (key === undefined) {
      checks.push(
        ...described.map((check) => ({ ...check, outcome: 'not_comparable' as const, pairs: 0, equal: 0 })),
      );
      continue;
    }
    const onSource = { client: source.client.at(tableIndex), from: copiedRows(plan) };
    const onTarget = {
      client: target.client.at(tableIndex),
      from: rowsOf(name, plan.target?.isPartitioned === true),
    };
    const names = columns.map(({ column }) => column);
    const counts = await releasingLocks(source.client, () =>
      releasingLocks(target.client, () => compareMasked(key, names, onSource, onTarget)),
    );
    for (const [i, check] of described.entries()) {
      const { pairs = 0, equal = 0 } = counts[i] ?? {};
      checks.push({ ...check, pairs, equal, outcome: check.differs && equal > 0 ? 'fails' : 'holds' });
    }
  }
  return checks;
}

/** Returns the columns of the primary key if all of them are preserved, or else undefined. */
function preservedKey({ columns }: TablePlan): readonly string[] | undefined {
  const key = columns.filter(({ description }) => description.keyPosition !== undefined);
  if (key.length === 0 || key.some(({ fill }) => fill.kind !== 'preserve')) return undefined;
  return key.map(({ description }) => description.name);
}
