import type { ExcludedObject } from '../../plan/exclude/excluded-objects.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Refuses rows that reference a table of which no rows are copied, because their foreign key could not be created after
 * the copy. Reads the referencing tables up to the first such row.
 * @param source a client in the job's snapshot
 * @param excluded the objects that the job leaves out, with their keys
 * @throws SyncJobError constraint_violation with all keys
 */
export async function refuseKeysToEmptyTables(
  source: LocatedClient,
  plans: readonly TablePlan[],
  excluded: readonly ExcludedObject[],
): Promise<void> {
  const problems = new ProblemList();
  const indexOf = new Map(plans.map((plan) => [plan.source.oid, plan.index]));
  const { rows: keys } = await source.query<{ address: string; child: string; has_rows: string }>(KEYS, [
    [...indexOf.keys()],
  ]);
  const leftOut = new Set(excluded.map(({ address }) => address));
  for (const { address, child, has_rows: hasRows } of keys) {
    const tableIndex = indexOf.get(child);
    if (tableIndex === undefined || leftOut.has(address)) continue;
    const { rows } = await source.at(tableIndex).query(hasRows);
    if (rows.length === 0) continue;
    problems.add({ code: 'constraint_violation', side: 'target', tableIndex, constraintKind: 'foreign_key' });
  }
  problems.throwIfAny();
}

/**
 * Lists the enforced keys from tables of the job to others. `has_rows` is a query that returns a row if the key has a
 * reference.
 * $1: the oids of the job's tables.
 */
const KEYS = `
  SELECT '2606 ' || k.oid AS address, k.conrelid::text AS child,
         pg_catalog.format('SELECT FROM %s WHERE %s LIMIT 1', k.conrelid::pg_catalog.regclass,
           (SELECT pg_catalog.string_agg(pg_catalog.format('%I IS NOT NULL', a.attname), ' AND ')
              FROM pg_catalog.pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey))) AS has_rows
    FROM pg_catalog.pg_constraint k
   WHERE k.contype = 'f' AND k.convalidated AND k.conrelid = ANY ($1::oid[]) AND k.confrelid <> ALL ($1::oid[])
     -- A partition of a job's table is copied with it.
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_partition_ancestors(k.confrelid) p WHERE p.relid = ANY ($1::oid[]))
   ORDER BY k.oid
`;
