import { type Client, quoteTable } from '@understudy/postgres';

/** A family of types. Values of types of one family can be compared with each other. */
export type ComparisonFamily = 'number' | 'text' | 'instant' | 'time' | 'timetz' | 'bool' | 'uuid' | 'enum';

/** A column that a condition may name. A domain counts as its base type. */
export interface ConditionColumn {
  readonly name: string;
  /** Undefined for a type that conditions cannot compare. */
  readonly family: ComparisonFamily | undefined;
  /** The base type's name. For an enum, the quoted name with its schema. */
  readonly type: string;
  /** The labels of an enum; empty for other types. */
  readonly labels: readonly string[];
}

const FAMILIES: Readonly<Record<string, ComparisonFamily>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  date: 'instant',
  timestamp: 'instant',
  timestamptz: 'instant',
  time: 'time',
  timetz: 'timetz',
  bool: 'bool',
  uuid: 'uuid',
};

/** Reads the columns of a table. @param oid the table's oid */
export async function readConditionColumns(client: Client, oid: string): Promise<readonly ConditionColumn[]> {
  const { rows } = await client.query<{
    name: string;
    schema: string;
    type: string;
    is_enum: boolean;
    labels: string[];
  }>(CONDITION_COLUMNS, [oid]);
  return rows.map(({ name, schema, type, is_enum: isEnum, labels }) => ({
    name,
    family: isEnum
      ? 'enum'
      : schema === 'pg_catalog' && Object.hasOwn(FAMILIES, type)
        ? FAMILIES[type]
        : undefined,
    type: isEnum ? quoteTable({ schema, table: type }) : type,
    labels,
  }));
}

/** Returns the columns from which each generated column of a table is computed. @param oid the table's oid */
export async function readGenerated(
  client: Client,
  oid: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ name: string; reads: string[] }>(GENERATED_COLUMNS, [oid]);
  return new Map(rows.map(({ name, reads }) => [name, reads]));
}

/**
 * The dependency of a generated column belongs to the column before PostgreSQL 15, and to its default from 15
 * on. $1: the table's oid.
 */
const GENERATED_COLUMNS = `
  SELECT a.attname AS name, array_agg(r.attname::text) AS reads
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
    JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = a.attrelid
     AND (d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = a.attrelid AND d.objsubid = a.attnum
       OR d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = e.oid)
    JOIN pg_catalog.pg_attribute r ON r.attrelid = a.attrelid AND r.attnum = d.refobjsubid AND r.attnum <> a.attnum
   WHERE a.attrelid = $1::oid AND a.attgenerated <> ''
   GROUP BY a.attname
`;

/** $1: the table's oid. */
const CONDITION_COLUMNS = `
  WITH RECURSIVE base AS (
    SELECT a.attnum, a.attname, a.atttypid AS type FROM pg_catalog.pg_attribute a
     WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attnum, b.attname, t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type WHERE t.typtype = 'd'
  )
  SELECT b.attname AS name, n.nspname AS schema, t.typname AS type, t.typtype = 'e' AS is_enum,
         ARRAY(SELECT e.enumlabel::text FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) AS labels
    FROM base b
    JOIN pg_catalog.pg_type t ON t.oid = b.type AND t.typtype <> 'd'
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
   ORDER BY b.attnum
`;
