import type { TestDatabase } from '@understudy/testing';
import type { Rules } from '../../sync-harness.js';
import { tablesOf } from '../../everything-schema/everything-database.js';

const ROWS = 40;

/** The beginning of each original value in a masked column. */
export const CANARY = 'canary-';

interface Column {
  readonly name: string;
  /** The name of the type, without modifiers. */
  readonly type: string;
  /** The name of the type below a domain. */
  readonly base: string;
  readonly is_enum: boolean;
  /** The largest number of characters; null if there is no limit. */
  readonly length: number | null;
  readonly not_null: boolean;
  /** Whether nothing but the column itself depends on its values. */
  readonly is_free: boolean;
}

/**
 * Fills the empty tables with rows, if `isFilled` is true. Keys have the values 1 to 40, so that rows reference each
 * other. A long text in each table, on which no index and no constraint depends, gets values that begin with
 * {@link CANARY}.
 * @returns the rules that mask these columns, by table, and the tables that stay empty
 */
export async function fillTables(
  database: TestDatabase,
  isFilled: boolean,
): Promise<{
  readonly rules: Readonly<Record<string, Rules>>;
  readonly empty: readonly string[];
}> {
  const rules: Record<string, Rules> = {};
  const empty: string[] = [];
  for (const table of await tablesOf(database)) {
    const { rows } = await database.query(COLUMNS, [table]);
    const columns = rows as unknown as readonly Column[];
    const isEmpty = (await database.query(`SELECT FROM ${table} LIMIT 1`)).rows.length === 0;
    if (isFilled && isEmpty && !(await insertRows(database, table, columns))) empty.push(table);
    const masked = columns.find(
      ({ is_free, base, length }) =>
        is_free && (base === 'text' || base === 'varchar') && (length ?? 100) > 50,
    );
    if (masked === undefined) continue;
    await database.query(`
      SET session_replication_role = replica;
      UPDATE ${table} SET ${masked.name} = '${CANARY}' || md5(ctid::text || '${table}'); RESET session_replication_role`);
    const name = masked.name.replace(/^"(.*)"$/, '$1');
    rules[table] = { [name]: { generator: 'template', pattern: 'masked {{uuid}}' } };
  }
  return { rules, empty };
}

async function insertRows(
  database: TestDatabase,
  table: string,
  columns: readonly Column[],
): Promise<boolean> {
  const values: string[] = [];
  for (const column of columns) values.push(await expressionFor(database, column));
  for (const isFull of [true, false]) {
    const used = columns.map((column, i) => ({ ...column, value: values[i] ?? 'NULL' }));
    const kept = used.filter(({ not_null }) => isFull || not_null);
    const insert = `INSERT INTO ${table} (${kept.map(({ name }) => name).join(', ')}) OVERRIDING SYSTEM VALUE
      SELECT ${kept.map(({ value }) => value).join(', ')} FROM generate_series(1, ${ROWS}) AS n ON CONFLICT DO NOTHING`;
    try {
      await database.query(
        `SET session_replication_role = replica; ${insert}; RESET session_replication_role`,
      );
      return true;
    } catch {
      await database.query('RESET session_replication_role');
    }
  }
  return false;
}

/** Returns the first expression that the type of the column permits. */
async function expressionFor(
  database: TestDatabase,
  { type, base, is_enum, length, not_null: isNeeded }: Column,
): Promise<string> {
  const text = `left('v' || lpad(n::text, 3, '0') || ' of a row', ${length ?? 100})`;
  const candidates = is_enum
    ? [`(enum_range(NULL::${type}))[1 + n % array_length(enum_range(NULL::${type}), 1)]`]
    : ['n', 'n % 2', text, `left(n::text, ${length ?? 5})`, ...OTHERS];
  for (const candidate of candidates) {
    const value = base === 'bool' ? 'n % 2 = 0' : candidate;
    try {
      await database.query(`SELECT (${value})::${type} FROM generate_series(1, ${ROWS}) AS n`);
      return `(${value})::${type}`;
    } catch {
      // The next candidate may fit.
    }
  }
  return isNeeded ? 'DEFAULT' : 'NULL';
}

const OTHERS = [
  "date '2024-01-01' + n",
  "time '10:00' + n * interval '1 minute'",
  "inet '10.0.0.0' + n",
  'md5(n::text)::uuid',
  "decode(lpad(to_hex(n), 40, '0'), 'hex')",
  "decode(lpad(to_hex(n), 32, '0'), 'hex')",
  "'{}'",
  "n * interval '1 hour'",
];

/** $1: a table. */
const COLUMNS = `
  SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, NULL) AS type, coalesce(b.typname, t.typname) AS base,
         t.typtype = 'e' AS is_enum, a.attnotnull AS not_null,
         CASE WHEN t.typname IN ('varchar', 'bpchar') AND a.atttypmod > 0 THEN a.atttypmod - 4 END AS length,
         NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
                        AND d.classid NOT IN ('pg_rewrite'::regclass, 'pg_attrdef'::regclass))
           AND NOT EXISTS (SELECT FROM pg_attribute g WHERE g.attrelid = a.attrelid AND g.attgenerated <> '')
           AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND a.attnum = ANY (i.indkey)) AS is_free
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype
   WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   ORDER BY a.attnum
`;
