// A quoted or plain identifier, with or without a schema. No backslashes, whose meaning in literals is a setting.
const PART = `("([^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*)`;
/** Matches a literal with a name that contains an apostrophe, with the name as the first group. */
const WITH_APOSTROPHE = `''((?:"(?:[^"'']|""|'''')+"|[[:alpha:]_][[:alnum:]_$]*)(?:[.]"(?:[^"'']|""|'''')+")?)''`;
const NAME = `^[[:space:]]*${PART}([[:space:]]*[.][[:space:]]*${PART})?[[:space:]]*$`;

/**
 * Writes a query for the oids of the sequences that a text of SQL or PL/pgSQL names in a string literal, also inside
 * another literal. A name without a schema is the first one on the search path that the function sets. If it sets none,
 * the caller's path decides: the name is each sequence with this name in the schemas `home` and `public`, or else each
 * one anywhere. `text`, `home` and `settings` (of the type of `proconfig`) are SQL expressions.
 */
export function namedSequences(text: string, home: string, settings = 'NULL::text[]'): string {
  return `
    SELECT s.oid
      FROM (SELECT pg_catalog.regexp_split_to_table(${text}, '''+') UNION
            SELECT pg_catalog.replace(literal[1], $q$''$q$, $q$'$q$) FROM pg_catalog.regexp_matches(${text}, '${WITH_APOSTROPHE}', 'g') AS literal) AS pieces (piece)
     CROSS JOIN LATERAL (SELECT CASE WHEN piece ~ '${NAME}' THEN pg_catalog.parse_ident(piece) END) AS ident (parts)
     CROSS JOIN LATERAL (SELECT ${pathOf(settings)}) AS own (path)
      JOIN pg_catalog.pg_class s ON s.relname = ident.parts[pg_catalog.cardinality(ident.parts)]::name AND s.relkind = 'S'
      JOIN pg_catalog.pg_namespace sn ON sn.oid = s.relnamespace
     WHERE CASE WHEN pg_catalog.cardinality(ident.parts) = 2 THEN sn.nspname = ident.parts[1]
                WHEN own.path IS NOT NULL THEN sn.nspname = (
                  SELECT o.nspname FROM ${sameName('s', 'o')} WHERE o.nspname = ANY (own.path)
                   ORDER BY pg_catalog.array_position(own.path, o.nspname::text) LIMIT 1)
                ELSE s.relnamespace = ${home} OR sn.nspname = 'public'
                  OR NOT EXISTS (SELECT FROM ${sameName('s', 'o')} WHERE o.namespace = ${home} OR o.nspname = 'public')
           END`;
}

/** Writes an expression for the text of a function's body. `prosrc` lacks a body that the server stores parsed. */
export function bodyOf(alias: string): string {
  return `coalesce(pg_catalog.pg_get_function_sqlbody(${alias}.oid), ${alias}.prosrc)`;
}

/** Writes an expression for the schemas of the search path that settings contain; null if they do not contain one. */
export function pathOf(settings: string): string {
  return `(SELECT ARRAY(SELECT pg_catalog.btrim(entry, ' "') FROM pg_catalog.regexp_split_to_table(pg_catalog.substr(setting, 13), ',') AS entry)
             FROM pg_catalog.unnest(${settings}) AS setting WHERE setting LIKE 'search_path=%')`;
}

function sameName(sequence: string, alias: string): string {
  return `(SELECT r.relnamespace, n.nspname FROM pg_catalog.pg_class r JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
            WHERE r.relname = ${sequence}.relname AND r.relkind = 'S') AS ${alias} (namespace, nspname)`;
}
