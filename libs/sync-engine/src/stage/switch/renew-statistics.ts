import { type EvaluationPaths, OWN_PATH, quoteTable, sqlstateOf, type Client } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';
import { STATISTICS_SCOPE } from './renew-statistics.sql.js';

/**
 * Replaces the planner statistics of tables that the switch has filled, and of the tables above them in an inheritance
 * tree. TRUNCATE keeps the statistics, and they contain values of the old rows. ANALYZE replaces them if it finds rows,
 * and does not change them if it finds none. Therefore, an empty table gets a row that is removed after ANALYZE. If
 * the table's constraints refuse the row, its columns are altered to the types that they have, which drops their
 * statistics. Call this function while triggers and rules are disabled.
 * @returns the plans of the tables whose old statistics could not be removed
 */
export async function renewStatistics(
  client: Client,
  filled: readonly TablePlan[],
  paths: EvaluationPaths,
): Promise<readonly TablePlan[]> {
  if (filled.length === 0) return [];
  const names = filled.map(({ name }) => quoteTable(name));
  const { rows } = await client.query<Relation>(STATISTICS_SCOPE, [names]);
  const relations = rows.map((row) => ({ ...row, path: paths.sqlFor(filled[row.n - 1]?.target?.oid) }));
  const owned = relations.filter((relation) => relation.may_analyze);
  const kept = relations.filter((relation) => !relation.may_analyze);
  const raised = owned.filter(({ raise_targets: raising }) => raising !== null);
  const stale = owned.filter((relation) => relation.is_stale || relation.is_tree_stale);
  // ALTER TABLE fails while deferred checks are pending.
  if (stale.length + raised.length > 0) await client.query('SET CONSTRAINTS ALL IMMEDIATE');
  const unraised = await failing(raised, ({ raise_targets: raising }) => tryRun(client, raising));
  kept.push(...unraised);
  const sampled = await insertSamples(client, owned, stale);
  const isRenewed = (relation: Relation) =>
    sampled.some(({ oid, ancestors }) =>
      relation.is_stale ? oid === relation.oid : [oid, ...ancestors].includes(relation.oid),
    );
  const altered = stale.filter((relation) => !isRenewed(relation));
  kept.push(...(await failing(altered, (relation) => dropStatistics(client, relation))));
  kept.push(...(await analyze(client, owned)));
  const truncated = sampled.map(({ name }) => `ONLY ${name}`).join(', ');
  const last = [
    ...(truncated === '' ? [] : [`TRUNCATE ${truncated}`]),
    ...raised.flatMap((relation) => (unraised.includes(relation) ? [] : (relation.reset_targets ?? []))),
  ];
  if (last.length > 0) await client.query(last.join('; '));
  return filled.filter((_, i) => kept.some((relation) => relation.has_old && relation.n === i + 1));
}

interface Relation {
  /** The position of the filled table in the list, from 1. */
  n: number;
  oid: string;
  name: string;
  /** The oids of the tables above it in the inheritance tree. */
  ancestors: string[];
  is_partition: boolean;
  may_analyze: boolean;
  /** True if the relation has statistics, or if the role may not see them. */
  has_old: boolean;
  /** True if ANALYZE would keep old statistics. */
  is_stale: boolean;
  /** True if ANALYZE would keep inherited statistics, because the table and all tables below it are empty. */
  is_tree_stale: boolean;
  /** True if the table is empty and may get a row until ANALYZE has run. */
  may_sample: boolean;
  columns: string | null;
  samples: string | null;
  types: string | null;
  types_complete: boolean | null;
  /** The table whose columns must be altered: the root of a partition, otherwise the table itself. */
  altered: string;
  /** SQL that enables statistics with the target 0, and SQL that sets the target again. */
  raise_targets: string | null;
  reset_targets: string | null;
  /** SQL that sets the search path with which the server evaluates the table's rows. */
  path: string;
}

/** Returns the relations for which the work returned false. */
async function failing(
  relations: readonly Relation[],
  work: (relation: Relation) => Promise<boolean>,
): Promise<readonly Relation[]> {
  const failed: Relation[] = [];
  for (const relation of relations) if (!(await work(relation))) failed.push(relation);
  return failed;
}

/**
 * Inserts a row into each empty table that has old statistics, or that has a table with old inherited statistics above
 * it. A row in a table is also a row of the tables above it.
 * @returns the tables that accepted the row
 */
async function insertSamples(
  client: Client,
  owned: readonly Relation[],
  stale: readonly Relation[],
): Promise<readonly Relation[]> {
  const empty = owned.filter(
    (relation) =>
      relation.may_sample &&
      stale.some(
        (other) =>
          other.oid === relation.oid || (other.is_tree_stale && relation.ancestors.includes(other.oid)),
      ),
  );
  const refused = await failing(empty, (relation) => tryRun(client, sampleRowSql(relation)));
  return empty.filter((relation) => !refused.includes(relation));
}

/** Analyzes all relations, with one statement for each search path. @returns the relations with statistics left */
async function analyze(client: Client, owned: readonly Relation[]): Promise<readonly Relation[]> {
  // ANALYZE of a partitioned table includes its partitions.
  const roots = owned.filter((relation) => !relation.is_partition);
  const kept: Relation[] = [];
  for (const path of new Set(roots.map((relation) => relation.path))) {
    const group = roots.filter((relation) => relation.path === path);
    const run = (some: readonly Relation[]) =>
      tryRun(client, `${path}; ANALYZE ${some.map(({ name }) => name).join(', ')}; ${OWN_PATH}`);
    if (await run(group)) continue;
    const failed = await failing(group, (relation) => run([relation]));
    const old = failed.filter((relation) => relation.has_old);
    kept.push(...(await failing(old, (relation) => dropStatistics(client, relation))));
  }
  return kept;
}

function sampleRowSql({ name, columns, samples, path }: Relation): string | null {
  if (columns === null) return null;
  return `${path}; INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE VALUES (${samples ?? ''}); ${OWN_PATH}`;
}

/** @returns false if statistics are left */
async function dropStatistics(
  client: Client,
  { altered, types, types_complete: complete, path }: Relation,
): Promise<boolean> {
  const altering = types === null ? null : `${path}; ALTER TABLE ${altered} ${types}; ${OWN_PATH}`;
  return (await tryRun(client, altering)) && complete === true;
}

/**
 * Runs SQL, and rolls it back if it fails.
 * @returns false if the SQL is null or failed
 * @throws PostgreSQL's error if the switch must be repeated, because another session holds a lock, or if it was cancelled
 */
async function tryRun(client: Client, sql: string | null): Promise<boolean> {
  if (sql === null) return false;
  try {
    await client.query(`SAVEPOINT statistics; ${sql}; RELEASE SAVEPOINT statistics`);
    return true;
  } catch (error) {
    if (REPEATED.has(String(sqlstateOf(error)))) throw error;
    await client.query('ROLLBACK TO SAVEPOINT statistics; RELEASE SAVEPOINT statistics');
    return false;
  }
}

/** The SQLSTATEs lock_not_available, deadlock_detected and query_canceled. */
const REPEATED: ReadonlySet<string> = new Set(['55P03', '40P01', '57014']);
