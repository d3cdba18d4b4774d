/** The oids of the types `oid`, `regclass` and `regtype`, whose values can reference a table or its row type. */
const HOLDS_OIDS = '(26, 2205, 2206)';

/**
 * Selects the tables that may be swapped: the parts of each table, and the objects that depend on these
 * parts. Selects a table only if a replacement can have all properties of the table. $1: oids of the listed
 * tables that exist. The kinds of rows are:
 * - `part`: an object that belongs to the table `root`. The definition of `root` also creates this object.
 * - `dependent`: an object that depends on a part of `root`. It can also be a part of a table.
 * - `stays`: the table `root` cannot be swapped, for example because a part of it belongs to an extension.
 */
export const SWAP_CANDIDATES = `
  WITH candidates AS MATERIALIZED (
    SELECT c.oid, c.reltype, c.reltoastrelid
      FROM pg_catalog.unnest($1::oid[]) AS t (oid)
      JOIN pg_catalog.pg_class c ON c.oid = t.oid
      JOIN pg_catalog.pg_am m ON m.oid = c.relam
     WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND NOT c.relispartition AND c.reloftype = 0 AND c.reltablespace = 0
       AND m.amname = 'heap'
       AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
       AND pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE') AND pg_catalog.has_schema_privilege(c.relnamespace, 'CREATE')
       -- Logical replication would see the rows under the name of another table.
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_publication p WHERE p.puballtables)
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                        WHERE d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass AND d.refobjid = c.relnamespace
                          AND d.classid = pg_catalog.to_regclass('pg_catalog.pg_publication_namespace'))
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots s
                        WHERE s.slot_type = 'logical' AND s.database = pg_catalog.current_database())
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_subscription_rel s WHERE s.srrelid = c.oid)
       -- An event trigger would fire when a table is created, and could refuse to drop one.
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_event_trigger e WHERE e.evtenabled <> 'D')
       -- A row may reference a table by its oid. This also applies to rows of this job and of unlisted
       -- tables.
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a
                         JOIN pg_catalog.pg_class r ON r.oid = a.attrelid AND r.relkind IN ('r', 'p', 'm')
                         JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
                        WHERE a.attrelid >= 16384 AND a.attnum > 0 AND r.relnamespace <> 'pg_toast'::pg_catalog.regnamespace
                          AND (y.oid IN ${HOLDS_OIDS} OR y.typelem IN ${HOLDS_OIDS} OR y.typbasetype IN ${HOLDS_OIDS}))
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid = c.oid)
       -- New rows would be checked against a CHECK that is NOT VALID. Creating a foreign key locks the referenced table.
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid
                        AND CASE k.contype WHEN 'f' THEN k.confrelid <> ALL ($1::oid[]) ELSE NOT k.convalidated END)
       -- A check that reads other rows must see the new rows.
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k
                         JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND d.objid = k.oid
                          AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                         JOIN pg_catalog.pg_proc f ON f.oid = d.refobjid AND f.provolatile <> 'i'
                        WHERE k.conrelid = c.oid AND k.contype = 'c')
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                        WHERE i.indrelid = c.oid AND (NOT i.indisvalid OR x.reltablespace <> 0))
       -- The triggers of a foreign key are disabled.
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND g.tgisinternal AND g.tgenabled <> 'O')
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_trigger g ON g.tgconstraint = k.oid
                        WHERE k.conrelid = c.oid AND g.tgisinternal AND g.tgenabled <> 'O')
  ), heaps AS MATERIALIZED (
    SELECT c.oid AS root, c.oid FROM candidates c
    UNION ALL SELECT c.oid, c.reltoastrelid FROM candidates c WHERE c.reltoastrelid <> 0
  ), relations AS MATERIALIZED (
    SELECT root, oid FROM heaps
    UNION ALL SELECT h.root, i.indexrelid FROM heaps h JOIN pg_catalog.pg_index i ON i.indrelid = h.oid
    UNION ALL SELECT c.oid, s.oid FROM candidates c
                JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = c.oid AND d.refobjsubid > 0
                 AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.deptype IN ('a', 'i')
                JOIN pg_catalog.pg_class s ON s.oid = d.objid AND s.relkind = 'S'
  ), parts AS MATERIALIZED (
    SELECT root, 'pg_catalog.pg_class'::pg_catalog.regclass::oid AS classid, oid AS objid FROM relations
    UNION ALL SELECT c.oid, 'pg_catalog.pg_type'::pg_catalog.regclass, t.oid FROM candidates c JOIN pg_catalog.pg_type t ON t.oid = c.reltype
    UNION ALL SELECT c.oid, 'pg_catalog.pg_type'::pg_catalog.regclass, t.oid FROM candidates c JOIN pg_catalog.pg_type t ON t.typelem = c.reltype AND t.typcategory = 'A'
    UNION ALL SELECT c.oid, 'pg_catalog.pg_attrdef'::pg_catalog.regclass, f.oid FROM candidates c JOIN pg_catalog.pg_attrdef f ON f.adrelid = c.oid
    UNION ALL SELECT c.oid, 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid FROM candidates c JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid
    UNION ALL SELECT c.oid, 'pg_catalog.pg_trigger'::pg_catalog.regclass, g.oid FROM candidates c JOIN pg_catalog.pg_trigger g ON g.tgrelid = c.oid AND g.tgconstraint = 0
    -- The triggers of a foreign key are on both tables, and are created and dropped with the key.
    UNION ALL SELECT c.oid, 'pg_catalog.pg_trigger'::pg_catalog.regclass, g.oid FROM candidates c
                JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid JOIN pg_catalog.pg_trigger g ON g.tgconstraint = k.oid
    UNION ALL SELECT c.oid, 'pg_catalog.pg_rewrite'::pg_catalog.regclass, w.oid FROM candidates c JOIN pg_catalog.pg_rewrite w ON w.ev_class = c.oid
    UNION ALL SELECT c.oid, 'pg_catalog.pg_policy'::pg_catalog.regclass, y.oid FROM candidates c JOIN pg_catalog.pg_policy y ON y.polrelid = c.oid
    UNION ALL SELECT c.oid, 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass, s.oid FROM candidates c JOIN pg_catalog.pg_statistic_ext s ON s.stxrelid = c.oid
  )
  SELECT 'part' AS kind, p.root::text AS root, p.classid || ' ' || p.objid AS address FROM parts p
  UNION ALL
  SELECT 'dependent', p.root::text, d.classid || ' ' || d.objid
    FROM parts p JOIN pg_catalog.pg_depend d ON d.refclassid = p.classid AND d.refobjid = p.objid
  UNION ALL
  SELECT 'stays', p.root::text, ''
    FROM parts p JOIN pg_catalog.pg_depend d ON d.classid = p.classid AND d.objid = p.objid AND d.deptype IN ('e', 'x')
  UNION ALL
  SELECT 'stays', p.root::text, '' FROM parts p JOIN pg_catalog.pg_seclabel l ON l.classoid = p.classid AND l.objoid = p.objid
  UNION ALL
  SELECT 'stays', p.root::text, '' FROM parts p JOIN pg_catalog.pg_type t ON t.oid = p.objid
   WHERE p.classid = 'pg_catalog.pg_type'::pg_catalog.regclass
     AND (t.typacl IS NOT NULL OR pg_catalog.obj_description(t.oid, 'pg_type') IS NOT NULL)
`;
