/** Selects the schemas of users. Omits the staging schemas of sync jobs. */
export const IS_USERS_SCHEMA = String.raw`
  (n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND n.nspname NOT LIKE 'understudy\_%')
`;

/** Tests whether the row `c` of pg_class belongs to an extension. */
export const IS_EXTENSIONS = `
  EXISTS (SELECT FROM pg_catalog.pg_depend d
           WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
`;

/** Tests whether the sequence `c` of pg_class belongs to a column, and therefore to the owner of the table. */
export const IS_COLUMNS_SEQUENCE = `
  EXISTS (SELECT FROM pg_catalog.pg_depend d
           WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid
             AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.deptype IN ('a', 'i'))
`;

/** Tests whether a default of a column uses the sequence `c` of pg_class, so that a job sets its value. */
export const FEEDS_DEFAULT = `
  EXISTS (SELECT FROM pg_catalog.pg_depend d
           WHERE d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = c.oid AND d.classid = 'pg_catalog.pg_attrdef'::regclass)
`;
