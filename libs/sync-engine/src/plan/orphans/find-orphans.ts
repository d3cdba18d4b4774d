import { quoteTable } from '@understudy/postgres';
import type { DatabaseSide, SyncWarning } from '@understudy/sync-job';
import { ifDecidable } from '../../session/query-rows.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';
import { ProblemList } from '../problems/problem-list.js';
import { orphansOf } from '../subset/relation-sql.js';
import type { SkippedKey, TablePlan } from '../table-plan.js';
import { type OrphanKey, readOrphanKeys } from './orphan-keys.js';
import { orphanProblem, orphanWarning } from './orphan-problem.js';

/** The largest number of foreign keys to check. */
const MAX_KEYS = 500;

/** A foreign key that copied rows break. */
export interface BrokenKey {
  readonly plan: TablePlan;
  readonly key: OrphanKey;
  readonly rows: number;
}

/**
 * Finds the foreign keys that the copied rows break, among the first {@link MAX_KEYS}. Each key costs one read of both
 * tables. Leaves out a key if the source cannot compare its columns within ten minutes.
 * @param which selects the keys
 */
export async function findOrphans(
  plans: readonly TablePlan[],
  clients: Readonly<Record<DatabaseSide, LocatedClient>>,
  which: (key: OrphanKey) => boolean = () => true,
): Promise<readonly BrokenKey[]> {
  const broken: BrokenKey[] = [];
  const keys = (await readOrphanKeys(plans, clients)).filter(which);
  for (const key of keys.slice(0, MAX_KEYS)) {
    const [plan, parent] = [key.link.child, key.link.parent].map((one) =>
      plans.find(({ index }) => index === one),
    );
    if (plan === undefined || parent === undefined) continue;
    const rows = await countOrphans(clients.source.at(plan.index), orphansOf(key.link, plan, parent));
    if (rows > 0) broken.push({ plan, key, rows });
  }
  return broken;
}

/**
 * Counts the rows of a query in the client's transaction.
 * @returns 0 also if the server cannot evaluate the query within ten minutes
 */
export async function countOrphans(client: LocatedClient, query: string): Promise<number> {
  const count = await ifDecidable(client, async () => {
    const { rows } = await client.query<{ rows: number }>(
      `SELECT pg_catalog.count(*)::float8 AS rows FROM (${query}) AS orphans`,
    );
    return rows[0]?.rows;
  });
  return typeof count === 'number' ? count : 0;
}

/**
 * Refuses a job whose rows break keys, and gives the numbers of rows to the log of this machine.
 * @throws SyncJobError orphans_found for the first key, with a list of all
 */
export function refuseOrphans(broken: readonly BrokenKey[], environment: LocalLog): void {
  logOrphans(broken, environment);
  const problems = new ProblemList();
  for (const { plan, key } of broken) problems.add(orphanProblem(plan, key));
  problems.throwIfAny();
}

/** Warns about the keys because of which {@link planSubset} has left out rows. */
export function skippedOrphans(plans: readonly TablePlan[], environment: LocalLog): readonly SyncWarning[] {
  const broken = plans.flatMap((plan) => (plan.skipped ?? []).map((one) => ({ plan, ...one })));
  return warnOfOrphans('orphans_skipped', broken, environment);
}

/** Returns a warning for each key, and gives the numbers of rows to the log of this machine. */
export function warnOfOrphans(
  code: 'orphans_skipped' | 'orphans_kept',
  broken: readonly CountedKey[],
  environment: LocalLog,
): readonly SyncWarning[] {
  logOrphans(broken, environment);
  return broken.map(({ plan, key }) => orphanWarning(code, plan.index, key));
}

type LocalLog = Parameters<typeof logNames>[0];
type CountedKey = SkippedKey & { readonly plan: TablePlan };

function logOrphans(broken: readonly CountedKey[], environment: LocalLog): void {
  if (broken.length === 0) return;
  const keys = broken.map(({ plan, key: { name, columns }, rows }) => ({
    ...{ table: quoteTable(plan.name), key: name, columns, rows },
  }));
  logNames(environment, { about: 'orphans', keys });
}
