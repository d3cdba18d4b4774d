import { readMajorVersion } from '@understudy/postgres';
import type { DatabaseSide, SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import type { ExcludedObject } from '../../plan/exclude/excluded-objects.js';
import { keepsReferences, orphanProblem, orphanWarning } from '../../plan/orphans/orphan-problem.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { LocatedClient } from '../../session/located-client.js';
import { canBeNotValid } from '../../stage/foreign-keys/staged-key.js';

export interface KeysToCheck {
  /** The job's tables with the chosen rows. */
  readonly plans: readonly TablePlan[];
  /** The objects that the job leaves out, with their keys. */
  readonly excluded: readonly ExcludedObject[];
}

/**
 * Refuses copied rows that reference a table of which no rows are copied, because their foreign key could not be created
 * after the copy. Reads the referencing tables up to the first such row.
 * @param clients that of the source is in the job's snapshot
 * @returns a warning for each key that will be NOT VALID, because the job keeps such rows
 * @throws SyncJobError orphans_found, or constraint_violation if a rule makes the references, with all keys
 */
export async function checkKeysToEmptyTables(
  { orphans = 'fail' }: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  { plans, excluded }: KeysToCheck,
): Promise<readonly SyncWarning[]> {
  const problems = new ProblemList();
  const warnings: SyncWarning[] = [];
  const version = await readMajorVersion(target);
  const planOf = new Map(plans.map((plan) => [plan.source.oid, plan]));
  const { rows: keys } = await source.query<KeyRow>(KEYS, [[...planOf.keys()]]);
  const leftOut = new Set(excluded.map(({ address }) => address));
  for (const { address, child, name, columns, references, ...key } of keys) {
    const plan = planOf.get(child);
    if (plan === undefined || leftOut.has(address)) continue;
    const from = copiedRows(plan);
    const { rows } = await source.at(plan.index).query(`SELECT FROM ${from} WHERE ${references} LIMIT 1`);
    if (rows.length === 0) continue;
    const at = { side: 'target', tableIndex: plan.index, constraintKind: 'foreign_key' } as const;
    const mayKeep =
      orphans === 'not_valid' && !key.isReferencedPartitioned && canBeNotValid(key.isPartitioned, version);
    if (!keepsReferences(plan, columns)) problems.add({ code: 'constraint_violation', ...at });
    else if (mayKeep) warnings.push(orphanWarning('orphans_kept', plan.index, { name }));
    else problems.add(orphanProblem(plan, { name, columns }));
  }
  problems.throwIfAny();
  return warnings;
}

interface KeyRow {
  readonly address: string;
  /** The oid of the referencing table. */
  readonly child: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** The SQL condition under which a row has a reference. */
  readonly references: string;
  readonly isPartitioned: boolean;
  readonly isReferencedPartitioned: boolean;
}

/** Lists the validated keys from tables of the job to others. $1: the oids of the job's tables. */
const KEYS = `
  SELECT '2606 ' || k.oid AS address, k.conrelid::text AS child, k.conname AS name,
         own.columns, own."references", c.relkind = 'p' AS "isPartitioned", p.relkind = 'p' AS "isReferencedPartitioned"
    FROM pg_catalog.pg_constraint k
    JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
    JOIN pg_catalog.pg_class p ON p.oid = k.confrelid
   CROSS JOIN LATERAL (
     SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.n) AS columns,
            pg_catalog.string_agg(pg_catalog.format('%I IS NOT NULL', a.attname), ' AND ' ORDER BY u.n) AS "references"
       FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (attnum, n)
       JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum) AS own
   WHERE k.contype = 'f' AND k.convalidated AND coalesce((pg_catalog.to_jsonb(k) ->> 'conenforced')::bool, true)
     AND k.conrelid = ANY ($1::oid[]) AND k.confrelid <> ALL ($1::oid[])
     -- A partition of a job's table is copied with it.
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_partition_ancestors(k.confrelid) a WHERE a.relid = ANY ($1::oid[]))
   ORDER BY k.oid
`;
