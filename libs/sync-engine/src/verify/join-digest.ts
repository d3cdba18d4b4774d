import { quoteIdentifier, type Client } from '@understudy/postgres';
import { rowHash } from './digest-expression.js';

/** How a server compares one pair of columns of a foreign key. All parts are SQL. */
export interface KeyEquality {
  readonly operator: string;
  readonly parent_type: string;
  readonly child_type: string;
  readonly collation: string | null;
}

/** One side of a foreign key on one server. */
export interface JoinedRows {
  /** The FROM item of the rows. */
  readonly from: string;
  /** The columns of the key. */
  readonly columns: readonly string[];
  /** The SQL expression of a row's digest over its preserved columns; undefined if there are none. */
  readonly digest: string | undefined;
}

/**
 * Writes a query for the digest of a foreign key's joined rows. For each parent, the server counts the children and adds
 * up their digests. The result is the sum, over all parents, of a hash of this count, this sum and the parent's digest.
 * It therefore contains the pairs of children and parents and the numbers of children per parent, and no key.
 */
export function joinDigestSql(
  parent: JoinedRows,
  child: JoinedRows,
  equalities: readonly KeyEquality[],
): string {
  const operands = (columns: readonly string[], type: 'parent_type' | 'child_type') =>
    equalities.map((equality, i) => {
      const collate = equality.collation === null ? '' : ` COLLATE ${equality.collation}`;
      return `(${quoteIdentifier(columns[i] ?? '')}::${equality[type]})${collate} AS k${i}`;
    });
  const noDigest = 'NULL::pg_catalog.int8';
  const parents = [...operands(parent.columns, 'parent_type'), `${parent.digest ?? noDigest} AS h`];
  const children = [
    ...operands(child.columns, 'child_type'),
    'pg_catalog.count(*) AS n',
    `pg_catalog.sum(${child.digest ?? noDigest}) AS h`,
  ];
  const groups = equalities.map((_, i) => i + 1);
  const matches = equalities.map(({ operator }, i) => `p.k${i} ${operator} c.k${i}`);
  return `SELECT coalesce(pg_catalog.sum(${rowHash(['c.n', 'c.h', 'p.h'])}), 0)::pg_catalog.text AS digest
    FROM (SELECT ${parents.join(', ')} FROM ${parent.from}) AS p
    LEFT JOIN (SELECT ${children.join(', ')} FROM ${child.from} GROUP BY ${groups.join(', ')}) AS c ON ${matches.join(' AND ')}`;
}

/**
 * Runs a query of {@link joinDigestSql}. Without nested loops, its time grows linearly with the rows even if the server
 * has no statistics of the tables, as for tables that were filled a moment ago. With {@link WORK_MEM}, about 200,000
 * parents fit into memory, so the server does not sort the children on disk. It can use twice that for each of two
 * nodes of the plan.
 */
export async function readJoinDigest(client: Client, sql: string): Promise<string> {
  await client.query(`SELECT pg_catalog.set_config('enable_nestloop', 'off', false), pg_catalog.set_config('work_mem',
    greatest('${WORK_MEM}'::pg_catalog.int8, pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) / 1024)::pg_catalog.text, false)`);
  const { rows } = await client.query<{ digest: string }>(sql);
  await client.query('RESET enable_nestloop; RESET work_mem');
  return rows[0]?.digest ?? '';
}

/** In KiB. A higher setting of the server stays. */
const WORK_MEM = 64 * 1024;
