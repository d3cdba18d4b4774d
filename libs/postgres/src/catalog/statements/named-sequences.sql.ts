// A quoted or plain identifier, with or without a schema.
const PART = `("([^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*)`;
const NAME = `^\\s*${PART}(\\s*\\.\\s*${PART})?\\s*$`;

/**
 * Writes a query for the oids of the sequences that a text of SQL or PL/pgSQL names in a string literal, also inside
 * another literal. A name without a schema is the sequence in the schema `home`, or else the only sequence with this
 * name. `text` and `home` are SQL expressions.
 */
export function namedSequences(text: string, home: string): string {
  return `
    SELECT s.oid
      FROM pg_catalog.regexp_split_to_table(${text}, '''+') AS piece
     CROSS JOIN LATERAL (SELECT CASE WHEN piece ~ '${NAME}' THEN pg_catalog.parse_ident(piece) END) AS ident (parts)
      JOIN pg_catalog.pg_class s ON s.relname = ident.parts[pg_catalog.cardinality(ident.parts)]::name AND s.relkind = 'S'
      JOIN pg_catalog.pg_namespace sn ON sn.oid = s.relnamespace
     WHERE CASE pg_catalog.cardinality(ident.parts)
             WHEN 2 THEN sn.nspname = ident.parts[1]
             ELSE s.relnamespace = ${home}
                  OR NOT EXISTS (SELECT FROM pg_catalog.pg_class o WHERE o.relname = s.relname AND o.relkind = 'S' AND o.oid <> s.oid)
           END`;
}
