import { relationsOf } from './partition-tree.sql.js';

/** Returns tables and their partitions as `relation`, each with its table as `listed`. $1: the oids of the tables. */
export const TABLES_AND_PARTITIONS = `
  SELECT r.listed::text AS listed, r.relation::oid::text AS relation FROM (${relationsOf('$1::oid[]')}) AS r WHERE r.is_inside
`;

/**
 * Returns the foreign keys of relations, except those that a partition inherits from another given relation. `relation`
 * and `referenced` are the names at both ends, and `ofRelation` and `toRelation` their oids. `definition` is the text
 * after ADD CONSTRAINT and the name. `before` and `after` are its parts around the name of the referenced table, or NULL
 * if it has another form. Requires an empty search path. $1: the oids of the relations, $2: the oids of all relations of
 * the job.
 */
export const KEY_DEFINITIONS = `
  WITH keys AS (
    SELECT k.oid, k.conname, k.conrelid, k.confrelid, k.convalidated, r.relkind, f.relkind AS referenced_kind,
           pg_catalog.json_build_object('schema', rn.nspname, 'table', r.relname) AS relation,
           pg_catalog.json_build_object('schema', fn.nspname, 'table', f.relname) AS referenced,
           pg_catalog.format('%I.%I', fn.nspname, f.relname) AS referenced_name, own.columns,
           pg_catalog.pg_get_constraintdef(k.oid) AS definition, pg_catalog.format('FOREIGN KEY (%s) REFERENCES ', own.list) AS before
      FROM pg_catalog.pg_constraint k
      JOIN pg_catalog.pg_class r ON r.oid = k.conrelid JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
      JOIN pg_catalog.pg_class f ON f.oid = k.confrelid JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
      LEFT JOIN pg_catalog.pg_constraint above ON above.oid = k.conparentid
     CROSS JOIN LATERAL (
       SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.n) AS columns,
              pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY u.n) AS list
         FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (attnum, n)
         JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum) AS own
     WHERE k.contype = 'f' AND k.conrelid = ANY ($1::oid[])
       -- A key between a table and a partition of the table that it references has a parent, too, but of the same table.
       AND (k.conparentid = 0
            OR above.conrelid <> k.conrelid AND above.confrelid = k.confrelid AND above.conrelid <> ALL ($2::oid[]))
  )
  SELECT k.oid::text AS oid, k.conname AS name, k.conrelid::text AS "ofRelation", k.confrelid::text AS "toRelation", k.columns,
         k.relation, k.referenced, k.definition, k.convalidated AS "isValidated", k.relkind = 'p' AS "isPartitioned",
         k.referenced_kind = 'p' AS "isReferencedPartitioned",
         CASE WHEN pg_catalog.starts_with(k.definition, k.before || k.referenced_name || '(') THEN k.before END AS before,
         CASE WHEN pg_catalog.starts_with(k.definition, k.before || k.referenced_name || '(')
              THEN pg_catalog.substr(k.definition, pg_catalog.length(k.before || k.referenced_name) + 1) END AS after,
         pg_catalog.obj_description(k.oid, 'pg_constraint') AS comment
    FROM keys k
   ORDER BY k.oid
`;
