import type { Client } from 'pg';
import { quoteIdentifier } from './quote.js';
import { readRows, readRowsByTable } from './read-rows.js';
import { CHECKS, COLUMN_TYPES, FOREIGN_KEYS_AMONG, UNIQUE_KEYS } from './statements/table-keys.sql.js';

/** The keys, types and checks that the values of a table must fit. */
export interface TableKeys {
  readonly unique: readonly UniqueKey[];
  /** The unique keys on expressions other than `lower(column)`. */
  readonly derived: readonly DerivedKey[];
  /** The types, by the name of the column. */
  readonly types: ReadonlyMap<string, ColumnType>;
  readonly checks: readonly Check[];
}

export interface UniqueKey {
  readonly columns: readonly string[];
  /** The columns whose case is ignored, as in `lower(email)`. */
  readonly folded: readonly string[];
  /** The columns that the index compares by a nondeterministic collation. */
  readonly loose: readonly LooseColumn[];
  readonly nullsNotDistinct: boolean;
}

/** A unique key whose values the server computes from columns. */
export interface DerivedKey {
  /** The columns from which the server computes the key. */
  readonly columns: readonly string[];
  /** True if the key has no further part, so that one value of it never occurs twice. */
  readonly isSingle: boolean;
}

/** A column with a nondeterministic collation, which treats some different texts as equal. */
export interface LooseColumn {
  readonly column: string;
  /** The collation's ICU locale, such as `und-u-ks-level2`. Empty if unknown, or if the collation has rules. */
  readonly locale: string;
}

export interface ColumnType {
  /** The type in SQL syntax, such as `numeric(5,2)` or `public.mood`. */
  readonly sql: string;
  /** The name of the type, or of the base type of a domain. */
  readonly base: string;
  /** The schema of the type, or of the base type of a domain. */
  readonly baseSchema: string;
  readonly isEnum: boolean;
  readonly isDomain: boolean;
  /** The column's collation in SQL syntax. Absent if the type has no collations. */
  readonly collation?: string;
  /** The locale of a nondeterministic collation, as in {@link LooseColumn}. Absent for other collations. */
  readonly looseLocale?: string;
  /** Whether the column or its domain rejects NULL. */
  readonly notNull: boolean;
}

/** A condition that values must fit: a CHECK constraint, or the evaluation of an index or of a generated column. */
export interface Check {
  /** The expression, with column names that are not qualified by a table. */
  readonly expression: string;
  readonly isConstraint: boolean;
  /** The generated column that the expression evaluates; undefined for other conditions. */
  readonly computes: string | undefined;
  /**
   * The only part of a unique index, NULL for rows outside of the index; undefined for other conditions, and for
   * `lower(column)`, which is a {@link UniqueKey}.
   */
  readonly key: string | undefined;
  /** The generated columns that the expression reads. `columns` has the columns that these read instead. */
  readonly computed: readonly { readonly column: string; readonly expression: string }[];
  readonly columns: readonly string[];
}

/** A foreign key between two tables, which are identified by oid. One of them may be outside the job. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly referenced: string;
  readonly referencedColumns: readonly string[];
  /** False if rows outside the given tables have the key. */
  readonly isTableListed: boolean;
  /** False if the key can reference rows outside the given tables. */
  readonly isReferencedListed: boolean;
  /**
   * For each column: false if it may have values that the referenced column lacks. This is the case if the key is NOT
   * VALID or NOT ENFORCED, if only partitions have it, or if another column of the key may be NULL.
   */
  readonly areValidated: readonly boolean[];
  /** True if the referenced key compares values as the default operator classes of their types do. */
  readonly hasDefaultEquality: boolean;
}

/** Reads the keys, types and checks of tables. @returns a map from the oid of each table to its keys */
export async function readTableKeys(
  client: Client,
  oids: readonly string[],
): Promise<ReadonlyMap<string, TableKeys>> {
  if (oids.length === 0) return new Map();
  const keysOf = await readRowsByTable<KeyColumn>(client, UNIQUE_KEYS, [oids]);
  const typesOf = await readRowsByTable<ColumnType & { column: string }>(client, COLUMN_TYPES, [oids]);
  const checksOf = await readRowsByTable<CheckRow>(client, CHECKS, [oids]);
  return new Map(
    oids.map((oid) => [
      oid,
      {
        ...uniqueKeys(keysOf.get(oid) ?? []),
        types: new Map((typesOf.get(oid) ?? []).map(({ column, ...type }) => [column, type])),
        checks: toChecks(checksOf.get(oid) ?? []),
      },
    ]),
  );
}

interface CheckRow {
  readonly isConstraint: boolean;
  /** The generated column that the expression computes. */
  readonly computes?: string;
  readonly expression: string;
  /** The expression of a unique index without further parts, and the condition of the index. */
  readonly key?: string;
  readonly predicate?: string;
  readonly columns: readonly string[];
}

function toChecks(rows: readonly CheckRow[]): readonly Check[] {
  const generated = new Map(
    rows.flatMap((row) => (row.computes === undefined ? [] : [[row.computes, row] as const])),
  );
  return rows.map(({ isConstraint, computes, expression, key, predicate, columns }) => {
    const read = columns.flatMap((column) => generated.get(column) ?? []);
    const plain = columns.filter((column) => !generated.has(column));
    const own = { column: computes ?? '', expression };
    return {
      isConstraint,
      computes,
      key:
        key === undefined || lowered(key) !== undefined
          ? undefined
          : `CASE WHEN ${predicate ?? 'true'} THEN ${key} END`,
      expression:
        computes === undefined
          ? expression
          : `CASE WHEN ${quoteIdentifier(computes)} IS NULL THEN true ELSE true END`,
      columns: [...new Set([...plain, ...read.flatMap((row) => row.columns)])],
      computed:
        computes === undefined
          ? read.map((row) => ({ column: row.computes ?? '', expression: row.expression }))
          : [own],
    };
  });
}

/** Reads the foreign keys of tables, and the foreign keys of any table that reference these tables. */
export async function readForeignKeys(
  client: Client,
  oids: readonly string[],
): Promise<readonly ForeignKey[]> {
  if (oids.length === 0) return [];
  return readRows<ForeignKey>(client, FOREIGN_KEYS_AMONG, [oids]);
}

interface KeyColumn {
  readonly index: string;
  readonly column?: string;
  readonly expression?: string;
  readonly nullsNotDistinct: boolean;
  readonly looseLocale?: string;
  readonly inputs: readonly string[];
}

/** Groups catalog rows into unique keys. The server checks keys on other expressions than `lower(column)`. */
function uniqueKeys(rows: readonly KeyColumn[]): Pick<TableKeys, 'unique' | 'derived'> {
  const byIndex = new Map<string, KeyColumn[]>();
  for (const row of rows) byIndex.set(row.index, [...(byIndex.get(row.index) ?? []), row]);
  const [unique, derived]: [UniqueKey[], DerivedKey[]] = [[], []];
  for (const parts of byIndex.values()) {
    const names = parts.map(({ column, expression }) => column ?? lowered(expression ?? ''));
    const columns = names.filter((name) => name !== undefined);
    if (columns.length < names.length) {
      derived.push({ columns: parts.flatMap(({ inputs }) => inputs), isSingle: parts.length === 1 });
      continue;
    }
    const folded = parts.flatMap(({ column }, i) => (column === undefined ? (columns[i] ?? []) : []));
    const loose = parts.flatMap(({ looseLocale: locale }, i) =>
      locale === undefined ? [] : [{ column: columns[i] ?? '', locale }],
    );
    unique.push({ columns, folded, loose, nullsNotDistinct: parts.some((part) => part.nullsNotDistinct) });
  }
  return { unique, derived };
}

// Matches the server's output: lower(email), lower((email)::text) and lower("E-mail").
const LOWERED = /^lower\(\(?(?:([a-z_][a-z0-9_$]*)|"((?:[^"]|"")+)")\)?(?:::text)?\)$/;

/** Returns the column of the expression `lower(column)`; undefined for any other expression. */
function lowered(expression: string): string | undefined {
  const [, plain, quoted] = LOWERED.exec(expression) ?? [];
  return plain ?? quoted?.replaceAll('""', '"');
}
