/**
 * Functions of PostgreSQL that are volatile, but neither run SQL, nor change the server, nor reveal other tables. All
 * other volatile functions do, such as `query_to_xml`, `setval`, `set_config`, `lo_unlink` and `pg_terminate_backend`.
 */
const HARMLESS = [
  ...['random', 'random_normal', 'gen_random_uuid', 'uuidv4', 'uuidv7', 'clock_timestamp', 'timeofday'],
  ...['currval', 'lastval', 'current_query', 'pg_is_in_recovery'],
];

/** Functions that are not volatile, but read tables or call the input function of a type by its name or oid. */
const NAMING =
  '^((table|schema|database|query|cursor)_to_xml|(domain|record|array|range|multirange)_(in|recv)$|pg_input_)';

/**
 * Writes an SQL condition: the function `b` of `pg_proc` runs SQL, changes the server, or reads a table or calls a type
 * by its name.
 */
const isBuiltInCode = (isDefault: string): string => `b.oid < 16384
       AND (b.provolatile = 'v' AND b.proname <> ALL (${names(HARMLESS)}) AND NOT (${isDefault} AND b.proname = 'nextval')
            OR b.proname ~ '${NAMING}')`;

const names = (list: readonly string[]) => `ARRAY[${list.map((name) => `'${name}'`).join(', ')}]::name[]`;

/**
 * Writes an SQL condition: one of the expressions calls a function of PostgreSQL that runs SQL, changes the server or
 * reads a table by its name. The catalogs do not record that an expression depends on such a function, so the condition
 * reads the expressions' trees. Operators that call such a function are objects of their own ({@link operatesBuiltInCode}).
 * @param trees SQL expressions of type pg_node_tree
 * @param defaults the same of defaults, which may take the next value of a sequence
 */
export function callsBuiltInCode(trees: readonly string[], defaults: readonly string[]): string {
  const rows = [
    ...trees.map((tree) => `(${tree}::text, false)`),
    ...defaults.map((tree) => `(${tree}::text, true)`),
  ];
  return `EXISTS (
    SELECT FROM (VALUES ${rows.join(', ')}) AS expression (tree, is_default),
           pg_catalog.regexp_matches(expression.tree, ':funcid ([0-9]+)', 'g') AS called (ids)
     WHERE (SELECT ${isBuiltInCode('expression.is_default')} FROM pg_catalog.pg_proc b WHERE b.oid = called.ids[1]::oid))`;
}

/**
 * Writes an SQL condition: an operator calls a function as in {@link callsBuiltInCode}. No operator of PostgreSQL does,
 * and the catalogs record that an expression depends on another operator.
 * @param code SQL expression for the operator's function
 */
export function operatesBuiltInCode(code: string): string {
  return `EXISTS (SELECT FROM pg_catalog.pg_proc b WHERE b.oid = ${code} AND ${isBuiltInCode('false')})`;
}
