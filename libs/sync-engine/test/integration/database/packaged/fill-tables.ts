import { builtinLibrary } from '@understudy/builtin-models/node';
import { compileSchema } from '@understudy/generator';
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
  readonly is_text: boolean;
  /** The labels of an enum. */
  readonly labels: readonly string[] | null;
  /** The largest number of characters; null if there is no limit. */
  readonly length: number | null;
  readonly not_null: boolean;
  /** Whether the column is in a unique index. */
  readonly is_unique: boolean;
  /** Whether nothing but the column itself depends on its values. */
  readonly is_free: boolean;
}

interface ForeignKey {
  readonly child: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Fills the empty tables with rows of our generators, parents first, if `isFilled` is true. A foreign key references rows
 * of its parent. A long text in each table, on which no index and no constraint depends, gets values that begin with
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
  const keys = (await database.query(FOREIGN_KEYS)).rows as unknown as readonly ForeignKey[];
  for (const table of parentsFirst(await tablesOf(database), keys)) {
    const { rows } = await database.query(COLUMNS, [table]);
    const columns = rows as unknown as readonly Column[];
    const isEmpty = (await database.query(`SELECT FROM ${table} LIMIT 1`)).rows.length === 0;
    if (isFilled && isEmpty) {
      const ofTable = keys.filter(({ child }) => child === table);
      if (!(await insertRows(database, { table, columns, keys: ofTable }))) empty.push(table);
    }
    const masked = columns.find(({ is_free, is_text, length }) => is_free && is_text && (length ?? 100) > 50);
    if (masked === undefined) continue;
    await database.query(`UPDATE ${table} SET ${masked.name} = '${CANARY}' || md5(ctid::text || '${table}')`);
    const name = masked.name.replace(/^"(.*)"$/, '$1');
    rules[table] = { [name]: { generator: 'template', pattern: 'masked {{uuid}}' } };
  }
  return { rules, empty };
}

/** Returns the tables in an order in which each is behind those that it references. A cycle begins anywhere. */
function parentsFirst(tables: readonly string[], keys: readonly ForeignKey[]): readonly string[] {
  const waiting = new Set(tables);
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const isReady = (table: string) =>
      keys.every(({ child, parent }) => child !== table || parent === table || !waiting.has(parent));
    const next = [...waiting].find(isReady) ?? [...waiting][0] ?? '';
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

interface TableToFill {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly keys: readonly ForeignKey[];
}

/** Inserts rows with values in all columns, or in those that need a value. The server checks all constraints. */
async function insertRows(database: TestDatabase, { table, columns, keys }: TableToFill): Promise<boolean> {
  const generators: Record<string, object> = {};
  for (const column of columns) generators[unquoted(column.name)] = await generatorFor(database, column);
  const generated = generate(generators);
  const references: { readonly key: ForeignKey; readonly parents: readonly Row[] }[] = [];
  for (const key of keys) {
    const { rows } = await database.query(
      `SELECT ${key.referenced.join(', ')} FROM ${key.parent} LIMIT ${ROWS}`,
    );
    references.push({ key, parents: rows });
  }
  const records = generated.map((record, n) => ({ ...record, ...referencedValues(references, n) }));
  for (const isFull of [true, false]) {
    const names = columns
      .filter(({ not_null }) => isFull || not_null)
      .map(({ name }) => name)
      .join(', ');
    try {
      await database.query(
        `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
         SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1) ON CONFLICT DO NOTHING`,
        [JSON.stringify(records)],
      );
      return true;
    } catch {
      // A constraint may need other values, but permit NULL.
    }
  }
  return false;
}

/** Returns the values of the columns of foreign keys. They are NULL if the parent has no rows. */
function referencedValues(
  references: readonly { readonly key: ForeignKey; readonly parents: readonly Row[] }[],
  n: number,
): Row {
  return Object.fromEntries(
    references.flatMap(({ key: { columns, referenced }, parents }) => {
      const parent = parents[n % Math.max(parents.length, 1)];
      return columns.map(
        (column, i) => [unquoted(column), parent?.[unquoted(referenced[i] ?? '')] ?? null] as const,
      );
    }),
  );
}

/** Returns a generator whose values the type of the column permits; one of NULL if there is none. */
async function generatorFor(database: TestDatabase, column: Column): Promise<object> {
  const { type, labels, length, is_text: isText, is_unique: isUnique } = column;
  if (labels !== null) return { type: 'list', values: labels };
  const text = {
    body: `{{substring(concat('v', pad_start(n, 3, '0'), ' of ', lowercase(name)), 0, ${length ?? 60})}}`,
  };
  const candidates = [
    ...(isText ? [text] : []),
    ...(isUnique ? [] : [svc('int_between', { min: 1, max: 99 }), svc('int_between', { min: 0, max: 1 })]),
    svc('sequence', { start: 1 }),
    svc('boolean'),
    svc('datetime_between', YEAR),
    svc('date_between', YEAR),
    text,
    svc('time_between'),
    { body: '10.0.0.{{n}}' },
    svc('uuid_v4'),
    ...[40, 32].map((digits) => ({ body: `{{concat('\\\\x', pad_start(n, ${digits}, '0'))}}` })),
    { body: '{}' },
    { body: '{{n}} hours' },
  ];
  for (const candidate of candidates) {
    const values = generate({ value: candidate }).map(({ value }) => String(value));
    try {
      await database.query(`SELECT value::${type} FROM unnest($1::text[]) AS value`, [values]);
      return candidate;
    } catch {
      // The next candidate may fit.
    }
  }
  return { body: '', nullable: 1 };
}

const YEAR = { start: '2024-01-01', end: '2025-01-01' };

function generate(columns: Readonly<Record<string, object>>): readonly Row[] {
  const { models, assets, registry } = builtinLibrary();
  const generators = {
    n: svc('sequence', { start: 1 }),
    name: { type: 'model', source: 'en_US/last_names' },
  };
  const named = Object.fromEntries(Object.values(columns).map((one, i) => [`column_${i}`, one] as const));
  const names = Object.keys(columns);
  const schema = { generators: { ...generators, ...named }, output: Object.keys(named) };
  const plan = compileSchema(schema, { models, assets, registry, nowMs: Date.UTC(2026, 0, 1) });
  return [...plan.records(7, 0, ROWS)].map((record) =>
    Object.fromEntries(Object.values(record).map((value, i) => [names[i] ?? '', value])),
  );
}

const svc = (algorithm: string, params: object = {}) => ({ type: 'svc', algorithm, params });

const unquoted = (name: string) => name.replace(/^"(.*)"$/, '$1');

/** The keys of partitions count as those of their root, as far as it has their columns. */
const FOREIGN_KEYS = `
  SELECT DISTINCT format('%I.%I', cn.nspname, cc.relname) AS child, format('%I.%I', pn.nspname, pc.relname) AS parent,
         ARRAY(SELECT quote_ident(a.attname) FROM unnest(k.conkey) WITH ORDINALITY AS u (n, i) JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY u.i) AS columns,
         ARRAY(SELECT quote_ident(a.attname) FROM unnest(k.confkey) WITH ORDINALITY AS u (n, i) JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY u.i) AS referenced
    FROM pg_constraint k
    JOIN pg_class cc ON cc.oid = coalesce(pg_partition_root(k.conrelid), k.conrelid) JOIN pg_namespace cn ON cn.oid = cc.relnamespace
    JOIN pg_class pc ON pc.oid = coalesce(pg_partition_root(k.confrelid), k.confrelid) JOIN pg_namespace pn ON pn.oid = pc.relnamespace
   WHERE k.contype = 'f'
`;

/** $1: a table. */
const COLUMNS = `
  SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, NULL) AS type, coalesce(b.typname, t.typname) IN ('text', 'varchar') AS is_text,
         a.attnotnull AS not_null, EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)) AS is_unique,
         (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = coalesce(b.oid, t.oid)) AS labels,
         CASE WHEN t.typname IN ('varchar', 'bpchar') AND a.atttypmod > 0 THEN a.atttypmod - 4 END AS length,
         NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
                        AND d.classid NOT IN ('pg_rewrite'::regclass, 'pg_attrdef'::regclass))
           AND NOT EXISTS (SELECT FROM pg_attribute g WHERE g.attrelid = a.attrelid AND g.attgenerated <> '')
           AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND a.attnum = ANY (i.indkey)) AS is_free
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype
   WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   ORDER BY a.attnum
`;
