import { PUBLICATION_CONFLICTS, sqlNames, type Client } from '@understudy/postgres';
import type { SyncFailureCode, SyncProblem } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';

/**
 * Lists the publications of the target that a job cannot serve. A publication of all tables would send the staged rows
 * and the ledger to its subscribers, which do not have these tables and then stop. The same applies to a schema that
 * gets a new table. Without TRUNCATE, a subscriber would keep the old rows beside the new ones.
 */
export async function publicationProblems(
  target: Client,
  plans: readonly Pick<TablePlan, 'index' | 'name' | 'target'>[],
): Promise<readonly SyncProblem[]> {
  const created = plans.filter((plan) => plan.target === undefined);
  const { rows } = await target.query<Conflict>(PUBLICATION_CONFLICTS, [
    plans.flatMap((plan) => plan.target?.oid ?? []),
    [...new Set(created.map(({ name }) => name.schema))],
  ]);
  return rows.map(({ kind, publication, table }) => {
    const plan =
      kind === 'schema'
        ? created.find(({ name }) => name.schema === table)
        : plans.find((other) => other.target?.oid === table);
    return {
      code: CODES[kind],
      side: 'target',
      ...(plan === undefined || kind === 'all_tables' ? {} : { tableIndex: plan.index }),
      object: { kind: 'publication', ...sqlNames({ name: publication }) },
    };
  });
}

interface Conflict {
  kind: 'all_tables' | 'schema' | 'without_truncate';
  publication: string;
  table: string | null;
}

const CODES = {
  all_tables: 'publication_of_all_tables',
  schema: 'publication_of_schema',
  without_truncate: 'publication_without_truncate',
} as const satisfies Record<Conflict['kind'], SyncFailureCode>;
