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
  const { rows } = await client.query<Omit<ConditionColumn, 'family'> & { schema: string; isEnum: boolean }>(
    CONDITION_COLUMNS,
    [oid],
  );
  return rows.map(({ name, schema, type, isEnum, labels }): ConditionColumn => {
    if (isEnum) return { name, family: 'enum', type: quoteTable({ schema, table: type }), labels };
    const isKnown = schema === 'pg_catalog' && Object.hasOwn(FAMILIES, type);
    return { name, family: isKnown ? FAMILIES[type] : undefined, type, labels };
  });
}

/** $1: the table's oid. */
const CONDITION_COLUMNS = `
  WITH RECURSIVE base AS (
    SELECT a.attnum, a.attname, a.atttypid AS type FROM pg_catalog.pg_attribute a
     WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attnum, b.attname, t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type WHERE t.typtype = 'd'
  )
  SELECT b.attname AS name, n.nspname AS schema, t.typname AS type, t.typtype = 'e' AS "isEnum",
         ARRAY(SELECT e.enumlabel::text FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) AS labels
    FROM base b
    JOIN pg_catalog.pg_type t ON t.oid = b.type AND t.typtype <> 'd'
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
   ORDER BY b.attnum
`;
