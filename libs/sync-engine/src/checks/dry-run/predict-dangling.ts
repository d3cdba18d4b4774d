import { guard } from '../../session/guard.js';
import { quoteIdentifier, quoteTable, type Client, readForeignKeys } from '@understudy/postgres';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { findsRow, ifDecidable } from './query-rows.js';
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
 * does not exist. At least one table of such a key is listed in the job. A key between two listed tables is
 * checked only if the source does not have the same key. All columns of a checked key are preserved. The
 * parent's server looks up the references. References from the source reach the target in a temporary table,
 * so that the target's log does not contain their values.
 */
export async function predictDangling(
  plans: readonly TablePlan[],
  sides: Sides,
): Promise<readonly SyncFailure[]> {
  const { target, contexts } = sides;
  const onTarget = contexts.on('target');
  const oids = plans.flatMap((plan) => plan.target?.oid ?? []);
  if (oids.length === 0) return [];
  const keysChecked = await keysToCheck(oids, plans, sides);
  const needsTable = keysChecked.some(({ child, parent }) => child !== undefined && parent === undefined);
  const hasTable = needsTable && (await guard(onTarget, () => mayHoldReferences(target)));
  await guard(onTarget, () => target.query('BEGIN READ ONLY'));
  const failures: SyncFailure[] = [];
  for (const { key, child, parent, at } of keysChecked) {
    if (child !== undefined && parent === undefined && !hasTable) continue;
    const dangles = await guard(contexts.on(child === undefined ? 'target' : 'source', at.index), () =>
      isDangling(key, referencesOf(key, child, sides), parentOf(key, parent, sides)),
    );
    const columns = child === undefined ? key.parent_columns : key.columns;
    if (dangles === true) failures.push(violation(at, { kind: 'foreign_key', name: key.name, columns }));
  }
  await guard(onTarget, () => target.query('ROLLBACK'));
  return failures;
}

/** A foreign key of the target. At least one of its two tables is listed in the job. */
interface KeyToCheck {
  readonly key: ForeignKey;
  readonly child: TablePlan | undefined;
  readonly parent: TablePlan | undefined;
  readonly at: TablePlan;
}

/**
 * Returns the foreign keys whose columns are all preserved. A key between two listed tables is left out if
 * the source has the same key.
 */
async function keysToCheck(
  oids: readonly string[],
  plans: readonly TablePlan[],
  { source, target, contexts }: Sides,
): Promise<readonly KeyToCheck[]> {
  const { rows: keys } = await guard(contexts.on('target'), () =>
    target.query<ForeignKey>(FOREIGN_KEYS_AROUND, [oids]),
  );
  const known = await guard(contexts.on('source'), () =>
    readForeignKeys(
      source,
      plans.map((plan) => plan.source.oid),
    ),
  );
  return keys.slice(0, MAX_KEYS).flatMap((key) => {
    const child = plans.find((plan) => plan.target?.oid === key.child);
    const parent = plans.find((plan) => plan.target?.oid === key.parent);
    const at = child ?? parent;
    const isKnown =
      child !== undefined && parent !== undefined && known.some((one) => isSame(one, key, child, parent));
    const isChecked = !isKnown && isKept(child, key.columns) && isKept(parent, key.parent_columns);
    return at === undefined || !isChecked ? [] : [{ key, child, parent, at }];
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
  child: string;
  parent: string;
  child_schema: string;
  child_table: string;
  child_partitioned: boolean;
  parent_schema: string;
  parent_table: string;
  parent_partitioned: boolean;
  columns: string[];
  parent_columns: string[];
  /** The types of the columns on the target. */
  types: string[];
  /** The types of the parent's columns on the target. */
  parent_types: string[];
}

/** The rows of a table on one server. */
interface Rows {
  readonly client: Client;
  /** The FROM item of the rows. */
  readonly from: string;
  readonly isTarget: boolean;
}

function isSame(
  known: {
    table: string;
    referenced: string;
    columns: readonly string[];
    referencedColumns: readonly string[];
  },
  key: ForeignKey,
  child: TablePlan,
  parent: TablePlan,
): boolean {
  return (
    known.table === child.source.oid &&
    known.referenced === parent.source.oid &&
    known.columns.join('\0') === key.columns.join('\0') &&
    known.referencedColumns.join('\0') === key.parent_columns.join('\0')
  );
}

/**
 * Returns whether the columns are all preserved. A table that the job does not list preserves all its
 * columns.
 */
function isKept(plan: TablePlan | undefined, columns: readonly string[]): boolean {
  const kept = plan === undefined ? undefined : keptColumns(plan);
  return columns.every((column) => kept?.has(column) !== false);
}

function referencesOf(key: ForeignKey, child: TablePlan | undefined, { source, target }: Sides): Rows {
  if (child !== undefined) return { client: source, from: copiedRows(child), isTarget: false };
  const name = quoteTable({ schema: key.child_schema, table: key.child_table });
  return { client: target, from: (key.child_partitioned ? '' : 'ONLY ') + name, isTarget: true };
}

function parentOf(key: ForeignKey, parent: TablePlan | undefined, { source, target }: Sides): Rows {
  if (parent !== undefined) return { client: source, from: copiedRows(parent), isTarget: false };
  const name = quoteTable({ schema: key.parent_schema, table: key.parent_table });
  return { client: target, from: (key.parent_partitioned ? '' : 'ONLY ') + name, isTarget: true };
}

/**
 * Returns whether any reference of the child has no row in the parent.
 * @returns undefined if this cannot be decided
 */
function isDangling(key: ForeignKey, child: Rows, parent: Rows): Promise<boolean | undefined> {
  const names = key.columns.map(quoteIdentifier);
  const texts = names.map((name) => `${name}::text`).join(', ');
  const isWhole = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  return ifDecidable(child.client, async () => {
    await child.client.query(
      `DECLARE understudy_references NO SCROLL CURSOR FOR SELECT DISTINCT ${texts} FROM ${child.from} WHERE ${isWhole}`,
    );
    let found: boolean | undefined = false;
    for (let seen = 0; found === false; seen += BATCH) {
      if (seen >= MAX_REFERENCES) found = undefined;
      const { rows } = await child.client.query<string[]>({
        text: `FETCH ${BATCH} FROM understudy_references`,
        rowMode: 'array',
      });
      if (rows.length === 0 || found === undefined) break;
      found = await lookUp(key, rows, parent);
    }
    await child.client.query('CLOSE understudy_references');
    return found;
  });
}

/** Returns whether any of the references has no row in the parent. */
async function lookUp(
  key: ForeignKey,
  rows: readonly string[][],
  { client, from, isTarget }: Rows,
): Promise<boolean | undefined> {
  if (isTarget) {
    await fillReferencesTable(client, rows);
    return findsRow(client, lostSql(key, key.types, `${REFERENCES_TABLE} AS v`, from));
  }
  const values = key.columns.map((_, i) => `v${i}`).join(', ');
  const arrays = key.columns.map((_, i) => `unnest($${i + 1}::text[])`).join(', ');
  const given = key.columns.map((_, i) => rows.map((row) => row[i]));
  const sql = lostSql(key, key.parent_types, `ROWS FROM (${arrays}) AS v (${values})`, from);
  return findsRow(client, sql, given);
}

/**
 * Writes a query that returns a row for each reference without a row in the parent.
 * @param references a FROM item with the columns of the references as texts: v.v0, v.v1, …
 */
function lostSql(
  { parent_columns: columns }: ForeignKey,
  types: readonly string[],
  references: string,
  parent: string,
): string {
  const matches = columns.map((name, i) => `r.${quoteIdentifier(name)} = v.v${i}::${types[i] ?? 'text'}`);
  return `SELECT FROM ${references}
    WHERE NOT EXISTS (SELECT FROM (SELECT * FROM ${parent}) AS r WHERE ${matches.join(' AND ')})`;
}
