import { quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import { inRelations } from '../../plan/subset/row-filter.js';
import type { DatabaseSide, SyncFailure, TableName } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { findRows, ifDecidable } from '../../session/query-rows.js';
import { keptColumns } from './copied-expressions.js';
import { type Sides, violation } from './possible-violation.js';
import { FOREIGN_KEYS_AROUND } from './foreign-keys-around.sql.js';
import { fillReferencesTable, makeReferencesTable, REFERENCES_TABLE } from './references-table.js';

/**
 * The largest number of distinct references of one foreign key to look up. If the key has more references
 * and all of those that were looked up have a row in the parent, the check has no result.
 */
const MAX_REFERENCES = 1_000_000;
const BATCH = 10_000;
/**
 * The largest number of foreign keys to check, because each check reads a whole table. The dry run does not
 * check further keys.
 */
const MAX_KEYS = 500;

/**
 * Finds foreign keys of the target that the run would break, because a child row would reference a row that
 * does not exist. One end of such a key has rows outside the job, or rows of several tables of the job. All columns of a
 * checked key are preserved. The parent's server looks up the references. References from the source reach the target in
 * a temporary table, so that the target's log does not contain their values.
 */
export async function predictDangling(
  plans: readonly TablePlan[],
  sides: Sides,
): Promise<readonly SyncFailure[]> {
  const { source, target } = sides;
  const oids = plans.flatMap((plan) => plan.target?.oid ?? []);
  if (oids.length === 0) return [];
  const keysChecked = await keysToCheck(oids, plans, sides);
  const needsTable = keysChecked.some(({ parents }) => parents.some(isOnTarget));
  const hasTable = needsTable && (await mayHoldReferences(target));
  await target.query('BEGIN READ ONLY');
  const failures: SyncFailure[] = [];
  for (const { key, child, parents, at } of keysChecked) {
    if (parents.some(isOnTarget) && !hasTable) continue;
    const clients = { source: source.at(at.index), target: target.at(at.index) };
    const dangles = await isDangling(key, child, parents, clients);
    const columns = isOnTarget(child) ? key.parent_columns : key.columns;
    const found = violation(at, { kind: 'foreign_key', name: key.name, columns });
    if (dangles === true) failures.push(found);
  }
  await target.query('ROLLBACK');
  return failures;
}

/** Rows that reference others with a foreign key of the target. The run changes the rows at one end or at both. */
interface KeyToCheck {
  readonly key: ForeignKey;
  readonly child: Rows;
  /** All rows to which the references can lead after the run. */
  readonly parents: readonly Rows[];
  readonly at: TablePlan;
}

/**
 * Returns the foreign keys whose columns are all preserved. Leaves out keys between two tables of the job, which
 * plan/orphans checks.
 */
async function keysToCheck(
  oids: readonly string[],
  plans: readonly TablePlan[],
  { target }: Sides,
): Promise<readonly KeyToCheck[]> {
  const { rows: keys } = await target.query<ForeignKey>(FOREIGN_KEYS_AROUND, [oids]);
  const listed = (some: readonly string[]) => plans.filter((plan) => some.includes(plan.target?.oid ?? ''));
  const copied = (plan: TablePlan): Rows => ({ side: 'source', from: copiedRows(plan) });
  const unlisted = (table: TableName, leaves: readonly string[] | null): Rows => ({
    side: 'target',
    from:
      leaves === null
        ? `ONLY ${quoteTable(table)}`
        : `(SELECT * FROM ${quoteTable(table)} WHERE ${inRelations(leaves)}) AS unlisted`,
  });
  return keys.slice(0, MAX_KEYS).flatMap((key): readonly KeyToCheck[] => {
    const [children, parents] = [listed(key.children), listed(key.parents)];
    const isKept =
      children.every((plan) => keeps(plan, key.columns)) &&
      parents.every((plan) => keeps(plan, key.parent_columns));
    if (!isKept) return [];
    // The run creates a key of such a parent again, so a key that is NOT VALID is not checked.
    const isLeftOut = key.is_validated ? key.parent_is_listed && parents.length === 1 : parents.length > 0;
    const parent = { schema: key.parent_schema, table: key.parent_table };
    const rows = parents.map(copied);
    const all = key.parent_is_listed ? rows : [...rows, unlisted(parent, key.parent_leaves)];
    const ofListed = isLeftOut ? [] : children.map((at) => ({ key, child: copied(at), parents: all, at }));
    const [at] = parents;
    if (at === undefined || key.child_is_listed || !key.is_validated) return ofListed;
    const child = unlisted({ schema: key.child_schema, table: key.child_table }, key.child_leaves);
    return [...ofListed, { key, child, parents: all, at }];
  });
}

/**
 * Creates the temporary table for references. The role needs the TEMP privilege, which all roles have by
 * default. The server must not be a standby.
 * @returns false if the table cannot be created
 */
async function mayHoldReferences(target: Client): Promise<boolean> {
  const { rows } = await target.query<{ may: boolean }>(MAY_HOLD);
  if (rows[0]?.may !== true) return false;
  await makeReferencesTable(target);
  return true;
}

const MAY_HOLD =
  "SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMP') AND NOT pg_catalog.pg_is_in_recovery() AS may";

interface ForeignKey {
  name: string;
  /** The oids of the listed tables at both ends. */
  children: string[];
  parents: string[];
  is_validated: boolean;
  /** Whether the listed tables contain all rows at this end of the key. */
  child_is_listed: boolean;
  parent_is_listed: boolean;
  child_schema: string;
  child_table: string;
  /** The leaf partitions that do not belong to listed tables; null if the table is not partitioned. */
  child_leaves: string[] | null;
  parent_schema: string;
  parent_table: string;
  parent_leaves: string[] | null;
  columns: string[];
  parent_columns: string[];
  /** The types of the columns on the target. */
  types: string[];
  /** The types of the parent's columns on the target. */
  parent_types: string[];
}

/** The rows of a table on one server. */
interface Rows {
  readonly side: DatabaseSide;
  /** The FROM item of the rows. */
  readonly from: string;
}

function isOnTarget({ side }: Rows): boolean {
  return side === 'target';
}

type Clients = Readonly<Record<DatabaseSide, Client>>;

/** Returns whether a listed table preserves all of the columns. */
function keeps(plan: TablePlan, columns: readonly string[]): boolean {
  const kept = keptColumns(plan);
  return columns.every((column) => kept.has(column));
}

/**
 * Returns whether any reference of the child has no row in any of the parents.
 * @returns undefined if this cannot be decided
 */
function isDangling(
  key: ForeignKey,
  child: Rows,
  parents: readonly Rows[],
  clients: Clients,
): Promise<boolean | undefined> {
  const client = clients[child.side];
  const names = key.columns.map(quoteIdentifier);
  const texts = names.map((name) => `${name}::text`).join(', ');
  const isWhole = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  return ifDecidable(client, async () => {
    await client.query(
      `DECLARE understudy_references NO SCROLL CURSOR FOR SELECT DISTINCT ${texts} FROM ${child.from} WHERE ${isWhole}`,
    );
    let found: boolean | undefined = false;
    for (let seen = 0; found === false; seen += BATCH) {
      if (seen >= MAX_REFERENCES) found = undefined;
      const { rows } = await client.query<string[]>({
        text: `FETCH ${BATCH} FROM understudy_references`,
        rowMode: 'array',
      });
      if (rows.length === 0 || found === undefined) break;
      found = await isAnyLost(key, rows, parents, clients);
    }
    await client.query('CLOSE understudy_references');
    return found;
  });
}

/** Returns whether any of the references has no row in any of the parents. */
async function isAnyLost(
  key: ForeignKey,
  references: readonly string[][],
  parents: readonly Rows[],
  clients: Clients,
): Promise<boolean | undefined> {
  let lost = references;
  for (const parent of parents) {
    if (lost.length === 0) return false;
    const found = await lookUp(key, lost, parent, clients[parent.side]);
    if (found === undefined || found === true) return found;
    lost = found;
  }
  return lost.length > 0;
}

/** Returns those of the references that have no row in the parent. */
async function lookUp(key: ForeignKey, rows: readonly string[][], parent: Rows, client: Client) {
  const { from } = parent;
  if (isOnTarget(parent)) {
    await fillReferencesTable(client, rows);
    return findRows(client, lostSql(key, key.types, `${REFERENCES_TABLE} AS v`, from));
  }
  const values = key.columns.map((_, i) => `v${i}`).join(', ');
  const arrays = key.columns.map((_, i) => `unnest($${i + 1}::text[])`).join(', ');
  const given = key.columns.map((_, i) => rows.map((row) => row[i]));
  return findRows(
    client,
    lostSql(key, key.parent_types, `ROWS FROM (${arrays}) AS v (${values})`, from),
    given,
  );
}

/**
 * Writes a query that returns the references without a row in the parent.
 * @param references a FROM item with the columns of the references as texts: v.v0, v.v1, …
 */
function lostSql(
  { parent_columns: columns }: ForeignKey,
  types: readonly string[],
  references: string,
  parent: string,
): string {
  const values = columns.map((_, i) => `v.v${i}`).join(', ');
  const matches = columns.map((name, i) => `r.${quoteIdentifier(name)} = v.v${i}::${types[i] ?? 'text'}`);
  return `SELECT ${values} FROM ${references}
    WHERE NOT EXISTS (SELECT FROM (SELECT * FROM ${parent}) AS r WHERE ${matches.join(' AND ')})`;
}
