import { quoteIdentifier, quoteLiteral } from '@understudy/postgres';

/** An index of a table that is not partitioned, and the data to create the index again in its current schema. */
export interface IndexRow {
  /** The quoted name of the table, with its schema. `index` is the quoted name of the index, with its schema. */
  relation: string;
  index: string;
  index_name: string;
  /** True if the table is a partition of the table `root_table`. */
  is_partition: boolean;
  root_schema: string;
  root_table: string;
  index_sql: string;
  constraint_name: string | null;
  constraint_sql: string | null;
  /**
   * The text after the constraint's name in ADD CONSTRAINT … USING INDEX. Null if this statement cannot create the
   * constraint, or if the index has none.
   */
  key_sql: string | null;
  options: string | null;
  /** Actions of ALTER INDEX that set the statistics targets of columns. */
  statistics: string[];
  has_expressions: boolean;
  is_clustered: boolean;
  is_identity: boolean;
  index_comment: string | null;
  constraint_comment: string | null;
}

/** The statements that create an index again, in the order of execution. */
export interface IndexStatements {
  /** Statements during which other sessions can read the table. */
  readonly building: readonly string[];
  /**
   * Statements that run after `building` and lock the table exclusively. They are fast if they create a key
   * from an index that `building` has built. Otherwise, they build the index of a constraint, which can take
   * long.
   */
  readonly attaching: readonly string[];
}

export function indexStatements(row: IndexRow): IndexStatements {
  const { relation, index, key_sql: keySql, constraint_sql: constraintSql } = row;
  const name = quoteIdentifier(row.constraint_name ?? '');
  const table = `ALTER TABLE ONLY ${relation}`;
  const asIndex = [
    ...row.statistics.map((action) => `ALTER INDEX ${index} ${action}`),
    ...(row.index_comment === null
      ? []
      : [`COMMENT ON INDEX ${index} IS ${quoteLiteral(row.index_comment)}`]),
  ];
  const onTable = [
    ...(row.is_clustered ? [`${table} CLUSTER ON ${quoteIdentifier(row.index_name)}`] : []),
    ...(row.is_identity ? [`${table} REPLICA IDENTITY USING INDEX ${quoteIdentifier(row.index_name)}`] : []),
    ...(row.constraint_comment === null
      ? []
      : [`COMMENT ON CONSTRAINT ${name} ON ${relation} IS ${quoteLiteral(row.constraint_comment)}`]),
  ];
  if (constraintSql === null) return { building: [row.index_sql, ...asIndex], attaching: onTable };
  if (keySql !== null) {
    const attached = `${table} ADD CONSTRAINT ${name} ${keySql}`;
    return { building: [row.index_sql, ...asIndex], attaching: [attached, ...onTable] };
  }
  const options = row.options === null ? [] : [`ALTER INDEX ${index} SET (${row.options})`];
  const made = `${table} ADD CONSTRAINT ${name} ${constraintSql}`;
  return { building: [], attaching: [made, ...options, ...asIndex, ...onTable] };
}

/**
 * Tests whether ADD CONSTRAINT … USING INDEX can create the constraint ("ADD table_constraint_using_index" in
 * PostgreSQL's documentation of ALTER TABLE). The statement cannot create exclusion constraints, constraints
 * WITHOUT OVERLAPS, or constraints of indexes with a non-default sort order.
 */
const CAN_BECOME_KEY = `k.contype IN ('p', 'u') AND i.indisunique AND NOT i.indisexclusion AND 0 = ALL (i.indoption)
  AND x.relam = (SELECT oid FROM pg_catalog.pg_am WHERE amname = 'btree')`;

const INDEXES = `
  SELECT i.indrelid::regclass::text AS relation, i.indexrelid::regclass::text AS index, x.relname AS index_name,
         t.relispartition AS is_partition, root.nspname AS root_schema, root.relname AS root_table,
         pg_catalog.pg_get_indexdef(i.indexrelid) AS index_sql, k.conname AS constraint_name,
         pg_catalog.pg_get_constraintdef(k.oid) AS constraint_sql,
         CASE WHEN ${CAN_BECOME_KEY} THEN
           CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END || ' USING INDEX ' || pg_catalog.quote_ident(x.relname)
             || CASE WHEN k.condeferrable THEN ' DEFERRABLE' ELSE '' END || CASE WHEN k.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END
         END AS key_sql,
         (SELECT pg_catalog.string_agg(o.option_name || ' = ' || pg_catalog.quote_literal(o.option_value), ', ')
            FROM pg_catalog.pg_options_to_table(x.reloptions) o) AS options,
         ARRAY(SELECT 'ALTER COLUMN ' || a.attnum || ' SET STATISTICS ' || a.attstattarget FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = i.indexrelid AND a.attstattarget >= 0) AS statistics,
         i.indexprs IS NOT NULL AS has_expressions, i.indisclustered AS is_clustered, i.indisreplident AS is_identity,
         pg_catalog.obj_description(i.indexrelid, 'pg_class') AS index_comment,
         pg_catalog.obj_description(k.oid, 'pg_constraint') AS constraint_comment
    FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
    JOIN pg_catalog.pg_class t ON t.oid = i.indrelid AND t.relkind = 'r'
    JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
    LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid AND k.contype IN ('p', 'u', 'x')
    CROSS JOIN LATERAL (
      SELECT rn.nspname, rc.relname FROM pg_catalog.pg_class rc JOIN pg_catalog.pg_namespace rn ON rn.oid = rc.relnamespace
       WHERE rc.oid = coalesce(pg_catalog.pg_partition_root(t.oid), t.oid)) AS root
`;
const KEYS_FIRST = `ORDER BY t.oid, k.contype = 'p' DESC, k.oid, i.indexrelid`;

/**
 * Selects the indexes of tables that are not partitioned. Omits indexes of partitioned tables, because they contain no
 * data. Returns keys first, because other objects can depend on them. $1: the schemas of the tables.
 */
export const INDEXES_IN = `${INDEXES} WHERE n.nspname = ANY ($1) ${KEYS_FIRST}`;

const IS_PLAIN = `
   WHERE i.indrelid = $1::regclass AND NOT t.relispartition AND k.oid IS NULL AND i.indisvalid AND x.reltablespace = 0
     AND pg_catalog.pg_has_role(t.relowner, 'USAGE')
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                      WHERE d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = x.oid
                         OR d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = x.oid AND d.deptype = 'e')
`;

/**
 * Selects the indexes of a table that can be dropped and created again without side effects. Such an index is
 * in the database's default tablespace. It belongs to no key and no partition, and no object depends on it.
 * $1: the table.
 */
export const PLAIN_INDEXES_OF = `${INDEXES} ${IS_PLAIN} ${KEYS_FIRST}`;
