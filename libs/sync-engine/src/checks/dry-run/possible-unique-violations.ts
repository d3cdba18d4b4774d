import { quoteIdentifier, readRows, type Client, UNIQUE_INDEXES } from '@understudy/postgres';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { type CopiedExpression, type CopiedExpressions, keptColumns } from './copied-expressions.js';
import type { PossibleViolation, Sides } from './possible-violation.js';

interface UniqueIndex {
  readonly name: string;
  readonly isExclusion: boolean;
  readonly keys: readonly IndexKey[];
  readonly predicate: string | undefined;
  readonly nullsNotDistinct: boolean;
}

interface IndexKey {
  /** The column or expression in SQL, as the server prints it. */
  readonly text: string;
  /** Undefined for an expression. */
  readonly column: string | undefined;
}

/**
 * Finds the target's unique keys that rows of the source may violate, because no key of the source implies
 * them. Partial keys and keys on expressions are included.
 */
export async function possibleUniqueViolations(
  plan: TablePlan,
  { source, target }: Sides,
  expressions: CopiedExpressions,
): Promise<readonly PossibleViolation[]> {
  const known = await readUniqueIndexes(source.at(plan.index), plan.source.oid);
  const wanted = await readUniqueIndexes(target.at(plan.index), plan.target?.oid ?? '0');
  const candidates: PossibleViolation[] = [];
  for (const index of wanted) {
    if (known.some((other) => promises(other, index))) continue;
    const candidate = await candidateOf(plan, index, expressions);
    if (candidate !== undefined) candidates.push(candidate);
  }
  return candidates;
}

async function readUniqueIndexes(client: Client, oid: string): Promise<readonly UniqueIndex[]> {
  type Row = Omit<UniqueIndex, 'keys'> & { keys: string[]; columns: (string | null)[] };
  const rows = await readRows<Row>(client, UNIQUE_INDEXES, [oid]);
  return rows.map(({ keys, columns, ...index }) => ({
    ...index,
    keys: keys.map((text, i) => ({ text, column: columns[i] ?? undefined })),
  }));
}

/**
 * Returns whether a key of the source implies a key of the target: rows that satisfy the first key always
 * satisfy the second. The target's key must contain all columns of the source's key. A partial key implies
 * only keys with the same predicate. A key with NULLS NOT DISTINCT is implied only by keys that have this
 * property too.
 */
function promises(known: UniqueIndex, wanted: UniqueIndex): boolean {
  if (known.predicate !== undefined && known.predicate !== wanted.predicate) return false;
  if (wanted.nullsNotDistinct && !known.nullsNotDistinct) return false;
  return known.keys.every(({ text }) => wanted.keys.some((key) => key.text === text));
}

async function candidateOf(
  plan: TablePlan,
  { name, isExclusion, keys, predicate, nullsNotDistinct }: UniqueIndex,
  expressions: CopiedExpressions,
): Promise<PossibleViolation | undefined> {
  const columns = new Set<string>();
  const parts: string[] = [];
  const condition = predicate === undefined ? [] : [{ text: predicate, column: undefined }];
  for (const part of [...keys, ...condition]) {
    const copied = await copiedPart(plan, part, expressions);
    if (copied === undefined) return undefined;
    parts.push(`(${copied.sql})`);
    for (const column of copied.columns) columns.add(column);
  }
  const grouped = parts.slice(0, keys.length);
  const rows = [
    ...parts.slice(keys.length),
    ...(nullsNotDistinct ? [] : grouped.map((key) => `${key} IS NOT NULL`)),
  ];
  const where = rows.length === 0 ? '' : ` WHERE ${rows.join(' AND ')}`;
  return {
    kind: isExclusion ? 'exclusion' : 'unique',
    ...{ name, columns: [...columns] },
    query: `SELECT FROM ${copiedRows(plan)}${where} GROUP BY ${grouped.join(', ')} HAVING count(*) > 1`,
  };
}

/**
 * Returns the SQL of one part of an index for use on the source. For a preserved column, this is the column's
 * name, even if the types on the two sides have different widths.
 */
async function copiedPart(
  plan: TablePlan,
  { text, column }: IndexKey,
  expressions: CopiedExpressions,
): Promise<CopiedExpression | undefined> {
  if (column === undefined) return expressions.copy(text);
  return keptColumns(plan).has(column) ? { sql: quoteIdentifier(column), columns: [column] } : undefined;
}
