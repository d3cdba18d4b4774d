import { type ColumnType, quoteTable } from '@understudy/postgres';

/** How the server decides whether two values of a key are equal. */
export interface KeyComparison {
  /** The type to which the values are cast, in SQL syntax. */
  readonly type: string;
  /** A nondeterministic collation, in SQL syntax. */
  readonly collation?: string;
}

/** A column of a foreign key and the column that it references, by their types. */
export interface ComparedColumns {
  readonly child: ColumnType | undefined;
  readonly parent: ColumnType | undefined;
}

/**
 * Returns how the server compares the values of columns that foreign keys join. PostgreSQL compares a reference
 * as the referenced column does: with its type and its collation.
 * @returns undefined if two values are equal exactly if their canonical forms are, and `mixed` if the columns
 * compare values in ways that contradict each other
 */
export function keyComparison(edges: readonly ComparedColumns[]): KeyComparison | 'mixed' | undefined {
  const asked = edges.filter((edge) => !isDecidedByText(edge));
  if (asked.length === 0) return undefined;
  // A text that is compared byte by byte decides only if no other column compares more loosely.
  const loose = asked.filter(({ child, parent }) => !isExact(parent) || isPadding(child, parent));
  const chosen = (loose.length > 0 ? loose : asked).map(({ parent }) => comparisonBy(parent));
  const [first] = chosen;
  return chosen.every((one) => isSameComparison(one, first)) ? first : 'mixed';
}

/** Returns how a column of this type compares values. */
export function comparisonBy(type: ColumnType | undefined): KeyComparison {
  const { base = '', baseSchema = '', collation, looseLocale } = type ?? {};
  const isText = baseSchema === 'pg_catalog' && ['varchar', 'name'].includes(base);
  return {
    type: quoteTable({ schema: baseSchema, table: isText ? 'text' : base }),
    ...(looseLocale === undefined || collation === undefined ? {} : { collation }),
  };
}

export function isSameComparison(a: KeyComparison | undefined, b: KeyComparison | undefined): boolean {
  return a?.type === b?.type && a?.collation === b?.collation;
}

function isDecidedByText({ child, parent }: ComparedColumns): boolean {
  return isExact(child) && isExact(parent) && !isPadding(child, parent);
}

/** Returns whether the reference has blanks at its end that the comparison with the key ignores. */
function isPadding(child: ColumnType | undefined, parent: ColumnType | undefined): boolean {
  return parent?.base === 'bpchar' && child?.base !== 'bpchar';
}

/** Returns whether two values of the type are equal exactly if their canonical forms are equal. */
function isExact(type: ColumnType | undefined): boolean {
  if (type === undefined || type.looseLocale !== undefined) return false;
  return type.isEnum || (type.baseSchema === 'pg_catalog' && EXACT_TYPES.has(type.base));
}

/** A type that is not in this list is compared by the server. */
const EXACT_TYPES: ReadonlySet<string> = new Set([
  ...['bool', 'int2', 'int4', 'int8', 'numeric', 'oid', 'uuid', 'bytea', 'bit', 'varbit', 'pg_lsn'],
  ...['text', 'varchar', 'bpchar', 'name', 'date', 'time', 'timestamp', 'timestamptz'],
  ...['inet', 'cidr', 'macaddr', 'macaddr8'],
]);
