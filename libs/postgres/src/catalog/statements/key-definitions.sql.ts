import { ownParts } from './foreign-keys.sql.js';
import { relationsOf } from './partition-tree.sql.js';

/**
 * Returns the foreign keys of tables and of their partitions. `child` and `parent` are the tables of the job at both ends;
 * `parent` is NULL for a table outside the job. `definition` is the text after ADD CONSTRAINT and the name. `before` and
 * `after` are its parts around the name of the referenced table, or NULL if it has another form. Requires an empty search
 * path. $1: the oids of the tables, $2: the oids of all tables in the job.
 */
export const KEY_DEFINITIONS = `
  WITH relations AS (${relationsOf('$2::oid[]')}), keys AS (
    SELECT k.oid, k.conname, c.listed AS child, p.listed AS parent, k.convalidated, r.relkind, f.relkind AS referenced_kind,
           pg_catalog.json_build_object('schema', rn.nspname, 'table', r.relname) AS relation,
           pg_catalog.json_build_object('schema', fn.nspname, 'table', f.relname) AS referenced,
           pg_catalog.format('%I.%I', fn.nspname, f.relname) AS referenced_name, own.columns,
           pg_catalog.pg_get_constraintdef(k.oid) AS definition, pg_catalog.format('FOREIGN KEY (%s) REFERENCES ', own.list) AS before
      FROM relations c
      JOIN pg_catalog.pg_constraint k ON k.conrelid = c.relation AND k.contype = 'f'
      JOIN pg_catalog.pg_class r ON r.oid = k.conrelid JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
      JOIN pg_catalog.pg_class f ON f.oid = k.confrelid JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
      LEFT JOIN relations p ON p.relation = k.confrelid AND p.is_inside
     CROSS JOIN LATERAL (
       SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.n) AS columns,
              pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY u.n) AS list
         FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (attnum, n)
         JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum) AS own
     WHERE c.is_inside AND c.listed = ANY ($1::oid[])
       AND ${ownParts('SELECT relation FROM relations WHERE is_inside').key}
  )
  SELECT k.oid::text AS oid, k.conname AS name, k.child::text AS child, k.parent::text AS parent, k.columns, k.relation, k.referenced,
         k.definition, k.convalidated AS "isValidated", k.relkind = 'p' AS "isPartitioned",
         k.referenced_kind = 'p' AS "isReferencedPartitioned",
         CASE WHEN pg_catalog.starts_with(k.definition, k.before || k.referenced_name || '(') THEN k.before END AS before,
         CASE WHEN pg_catalog.starts_with(k.definition, k.before || k.referenced_name || '(')
              THEN pg_catalog.substr(k.definition, pg_catalog.length(k.before || k.referenced_name) + 1) END AS after,
         pg_catalog.obj_description(k.oid, 'pg_constraint') AS comment
    FROM keys k
   ORDER BY k.oid
`;
