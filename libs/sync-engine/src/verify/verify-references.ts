import { isDeepStrictEqual } from 'node:util';
import { type EngineLog, quoteTable, releasingLocks } from '@understudy/postgres';
import type { VerificationCheck } from '@understudy/sync-job';
import type { LocatedClient } from '../session/located-client.js';
import type { TablePlan } from '../plan/table-plan.js';
import { KEYS_AROUND } from './keys-around.sql.js';

export interface ReferencesToVerify {
  readonly plans: readonly Pick<TablePlan, 'index' | 'name' | 'columns'>[];
  /** A client in a transaction that sees the new rows in the real tables, with their foreign keys. */
  readonly target: LocatedClient;
  /** A client whose transaction uses the job's snapshot of the source. */
  readonly source: LocatedClient;
  readonly log: EngineLog;
  /**
   * If false, foreign keys that the server enforces are checked too. Pass false if earlier transactions wrote the rows,
   * because a session with disabled triggers may have violated these keys since then. Default: true.
   */
  readonly trustsServer?: boolean;
  /** Whether the job copies a whole database. A table that is not one of the job then has no rows, as the job decides. */
  readonly isWhole?: boolean;
}

/**
 * Checks the foreign keys from and to the job's tables. If `trustsServer` is true, a key that the server enforces needs
 * no query, because the server checked all rows when it created the key. For a key that is NOT VALID or NOT ENFORCED,
 * the target may have at most as many references to missing rows as the source. Omits such a key if a rule chooses its
 * references: the comparison would show how many originals reference missing rows. Also omits it if the job leaves the
 * referenced table without rows.
 */
export async function verifyReferences(request: ReferencesToVerify): Promise<readonly VerificationCheck[]> {
  const { plans, target, log, trustsServer = true, isWhole = false } = request;
  const first = plans[0];
  if (first === undefined) return [];
  const keys = await keysAround(target.at(first.index), plans);
  let onSource: Promise<readonly PlannedKey[]> | undefined;
  const keysOfSource = () => (onSource ??= keysAround(request.source.at(first.index), plans));
  const checks: VerificationCheck[] = [];
  for (const { index: tableIndex } of plans) {
    const own = keys.filter(
      (key) =>
        key.tableIndex === tableIndex &&
        (key.is_checked || !(choosesReferences(key) || (isWhole && key.parentPlan === undefined))),
    );
    if (own.length === 0) continue;
    let ok = true;
    for (const key of own.filter(({ is_checked }) => !is_checked || !trustsServer)) {
      const lost = await countLost(target.at(tableIndex), key);
      if (
        lost === 0 ||
        (!key.is_checked &&
          lost <= (await lostOnSource(request.source.at(key.tableIndex), key, await keysOfSource())))
      )
        continue;
      ok = false;
      log.error(
        { child: key.child, parent: key.parent, lost },
        'foreign keys reference rows that do not exist',
      );
    }
    checks.push({ kind: 'foreign_keys', tableIndex, ok, lookedAt: own.length });
  }
  return checks;
}

interface ForeignKey {
  readonly is_checked: boolean;
  readonly child: string;
  readonly is_child_partitioned: boolean;
  readonly parent: string;
  readonly is_parent_partitioned: boolean;
  readonly matches: readonly string[];
  readonly not_null_conditions: readonly string[];
  readonly child_columns: readonly string[];
  readonly parent_columns: readonly string[];
}

interface PlannedKey extends ForeignKey {
  /** Undefined if the table does not belong to the job. */
  readonly childPlan: ReferencesToVerify['plans'][number] | undefined;
  readonly parentPlan: ReferencesToVerify['plans'][number] | undefined;
  readonly tableIndex: number;
}

async function keysAround(
  target: LocatedClient,
  plans: ReferencesToVerify['plans'],
): Promise<readonly PlannedKey[]> {
  const tables = await target.query<{ oid: string }>(
    'SELECT t.name::pg_catalog.regclass::oid::text AS oid FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS t (name, n) ORDER BY t.n',
    [plans.map(({ name }) => quoteTable(name))],
  );
  const planOf = new Map(tables.rows.map(({ oid }, position) => [oid, plans[position]]));
  const { rows } = await target.query<
    ForeignKey & { readonly child_root: string | null; readonly parent_root: string | null }
  >(KEYS_AROUND, [[...planOf.keys()]]);
  return rows.map((key) => {
    const childPlan = planOf.get(key.child_root ?? '');
    const parentPlan = planOf.get(key.parent_root ?? '');
    return { ...key, childPlan, parentPlan, tableIndex: (childPlan ?? parentPlan)?.index ?? 0 };
  });
}

/**
 * Returns whether a rule decides to which rows a key of a job's table refers. This is not the case if the job preserves
 * the columns of the key, or masks references like the keys to which they refer.
 */
function choosesReferences({ childPlan, parentPlan, child_columns, parent_columns }: PlannedKey): boolean {
  return child_columns.some((column, i) => {
    const child = fillOf(childPlan, column);
    const parent = fillOf(parentPlan, parent_columns[i]);
    if (child === 'null' || (child === 'preserve' && parent === 'preserve')) return false;
    return child === 'rule' || !isDeepStrictEqual(child, parent);
  });
}

/** Returns the group of a masked key, or how else a column gets its values. A generated column may read any other. */
function fillOf(plan: ReferencesToVerify['plans'][number] | undefined, column: string | undefined) {
  if (plan === undefined) return 'preserve';
  const fill = plan.columns.find(({ description }) => description.name === column)?.fill;
  if (fill === undefined)
    return plan.columns.every((one) => one.fill.kind !== 'produce') ? 'preserve' : 'rule';
  if (fill.kind !== 'produce') return fill.kind;
  return fill.shared === undefined ? 'rule' : { table: fill.shared.table, name: fill.shared.name };
}

/**
 * Counts references to missing rows. As with MATCH SIMPLE, a row with a NULL in the key's columns references no row.
 */
async function countLost(client: LocatedClient, key: ForeignKey): Promise<number> {
  const child = `${key.is_child_partitioned ? '' : 'ONLY '}${key.child}`;
  const parent = `${key.is_parent_partitioned ? '' : 'ONLY '}${key.parent}`;
  const { rows } = await client.query<{ lost: number }>(
    `SELECT pg_catalog.count(*)::float8 AS lost FROM ${child} AS c WHERE ${key.not_null_conditions.join(' AND ')}
        AND NOT EXISTS (SELECT FROM ${parent} AS p WHERE ${key.matches.join(' AND ')})`,
  );
  return rows[0]?.lost ?? 0;
}

/**
 * Counts references to missing rows on the source. The source's own key has the operators that the source knows. Without
 * such a key, the source evaluates the target's one. Returns 0 if it cannot, or if it lacks one of the tables. In these
 * cases, every reference to a missing row on the target is an error.
 */
async function lostOnSource(
  source: LocatedClient,
  key: PlannedKey,
  keys: readonly PlannedKey[],
): Promise<number> {
  const own = keys.find((one) => KEY_FACTS.every((fact) => isDeepStrictEqual(one[fact], key[fact])));
  const { rows } = await source.query<{ there: boolean }>(
    'SELECT pg_catalog.to_regclass($1) IS NOT NULL AND pg_catalog.to_regclass($2) IS NOT NULL AS there',
    [key.child, key.parent],
  );
  if (rows[0]?.there !== true) return 0;
  try {
    return await releasingLocks(source, () => countLost(source, own ?? key));
  } catch (error) {
    if (UNKNOWN_OPERATOR.has((error as { readonly code?: unknown }).code)) return 0;
    throw error;
  }
}

/** The SQLSTATEs of an operator, and of a schema, that the server does not have. */
const UNKNOWN_OPERATOR: ReadonlySet<unknown> = new Set(['42883', '3F000']);

/** The facts that keys of the same columns have in common on both servers. */
const KEY_FACTS = ['child', 'parent', 'child_columns', 'parent_columns'] as const;
