import { quoteLiteral } from '@understudy/postgres';
import { stagingTable } from '../staging-names.js';

/**
 * Selects the user-defined objects that a definition can create. Omits objects that are parts of relations, such as
 * constraints.
 */
const OBJECTS = `
  SELECT 'pg_catalog.pg_class'::regclass::oid AS classid, oid AS objid FROM pg_catalog.pg_class WHERE oid >= 16384 AND relkind NOT IN ('i', 'I', 't')
  ${[
    'pg_type',
    'pg_proc',
    'pg_namespace',
    'pg_extension',
    'pg_operator',
    'pg_opclass',
    'pg_opfamily',
    'pg_collation',
    'pg_conversion',
    'pg_cast',
    'pg_language',
    'pg_am',
    'pg_ts_dict',
    'pg_ts_config',
    'pg_ts_parser',
    'pg_ts_template',
    'pg_foreign_server',
    'pg_foreign_data_wrapper',
    'pg_transform',
  ]
    .map(
      (catalog) =>
        `UNION ALL SELECT 'pg_catalog.${catalog}'::regclass, oid FROM pg_catalog.${catalog} WHERE oid >= 16384`,
    )
    .join('\n  ')}
`;

/**
 * Returns SQL that records the target's objects in a table. {@link newObjects} uses this table later in the same
 * transaction.
 */
export function recordKnownObjects(jobId: string): string {
  return `CREATE TABLE ${stagingTable(jobId, 'known')} AS ${OBJECTS}`;
}

/**
 * Returns SQL that selects the objects that were created since {@link recordKnownObjects}. It excludes members of
 * extensions, and objects that move with another object, such as a table's row type, a sequence that a column owns or a
 * range type's constructors.
 */
export function newObjects(jobId: string): string {
  return `
    SELECT o.classid::int8::text AS classid, o.objid::int8::text AS objid, i.type, i.identity,
           -- PostgreSQL returns both names quoted if necessary.
           coalesce((pg_catalog.parse_ident(i.schema))[1],
                    (SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
                      WHERE i.type = 'extension' AND e.oid = o.objid)) AS schema,
           CASE WHEN i.type = 'schema' THEN (pg_catalog.parse_ident(i.name))[1] END AS made_schema,
           EXISTS (SELECT FROM pg_catalog.pg_range g WHERE o.classid = 'pg_catalog.pg_type'::regclass AND g.rngtypid = o.objid) AS is_range
      FROM (${OBJECTS} EXCEPT SELECT classid, objid FROM ${stagingTable(jobId, 'known')}) AS o
      LEFT JOIN pg_catalog.pg_class r ON o.classid = 'pg_catalog.pg_class'::regclass AND r.oid = o.objid
      CROSS JOIN LATERAL pg_catalog.pg_identify_object(o.classid, o.objid, 0) AS i
     WHERE o.objid <> ${quoteLiteral(stagingTable(jobId, 'known'))}::regclass
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = o.classid AND d.objid = o.objid
             -- A partitioned table depends on its own key.
             AND (d.refclassid, d.refobjid) <> (d.classid, d.objid)
             AND (d.deptype IN ('e', 'i') OR d.deptype = 'a' AND r.relkind = 'S' AND d.refobjsubid > 0))
     ORDER BY o.objid
  `;
}

/**
 * Returns SQL that selects the new tables whose parent existed before: partitions and child tables of existing tables.
 */
export function linksToKnown(jobId: string): string {
  const known = `(SELECT objid FROM ${stagingTable(jobId, 'known')})`;
  return `
    SELECT h.inhrelid::regclass::text AS child, h.inhparent::regclass::text AS parent, c.relispartition AS is_partition,
           pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class c ON c.oid = h.inhrelid
     WHERE c.relkind IN ('r', 'p') AND h.inhrelid NOT IN ${known} AND h.inhparent IN ${known}
  `;
}
