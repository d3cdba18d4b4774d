import { quoteIdentifier, type Client } from '@understudy/postgres';
import { rowHash } from '../digest-expression.js';
import {
  type DigestedRows,
  type DigestRow,
  digestColumns,
  rowDigestOf,
  type RowDigest,
} from '../digest-rows.js';

/** How a server compares one pair of columns of a foreign key. All parts are SQL. */
export interface KeyEquality {
  readonly operator: string;
  readonly parent_type: string;
  readonly child_type: string;
  readonly collation: string | null;
}

/** One side of a foreign key on one server. */
export interface JoinedRows extends DigestedRows {
  /** The columns of the key. */
  readonly columns: readonly string[];
}

/** The result of one query on one side of a foreign key. */
export interface JoinDigest {
  readonly joined: string;
  /** The digest of all children, also of those without a parent. */
  readonly children: RowDigest;
}

/**
 * Writes a query for the digest of a foreign key's joined rows. For each parent, the server counts the children and adds
 * up their digests. The result is the sum, over all parents, of a hash of this count, this sum and the parent's digest.
 * It therefore contains the pairs of children and parents and the numbers of children per parent, and no key. The same
 * reading of the children gives their {@link RowDigest}.
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
  const parents = [...operands(parent.columns, 'parent_type'), `${parent.digest ?? NO_DIGEST} AS h`];
  const { rows, digest, filled } = digestColumns(child);
  const children = [
    ...operands(child.columns, 'child_type'),
    ...[`${rows} AS n`, `${digest ?? NO_DIGEST} AS h`, `${filled} AS filled`],
  ];
  const groups = equalities.map((_, i) => i + 1);
  const matches = equalities.map(({ operator }, i) => `p.k${i} ${operator} c.k${i}`);
  const sum = (of: string) => `coalesce((SELECT pg_catalog.sum(${of}) FROM c), 0)`;
  return `WITH c AS MATERIALIZED (SELECT ${children.join(', ')} FROM ${child.from} GROUP BY ${groups.join(', ')})
    SELECT (SELECT coalesce(pg_catalog.sum(${rowHash(['c.n', 'c.h', 'pg_catalog.int8send(p.h)'])}), 0)::pg_catalog.text
              FROM (SELECT ${parents.join(', ')} FROM ${parent.from}) AS p LEFT JOIN c ON ${matches.join(' AND ')}) AS joined,
           ${sum('n')}::float8 AS rows, ${digest === undefined ? `''` : `${sum('h')}::pg_catalog.text`} AS digest, ${sum('filled')}::float8 AS filled`;
}

const NO_DIGEST = 'NULL::pg_catalog.int8';

/**
 * Runs a query of {@link joinDigestSql}. Without nested loops, its time grows linearly with the rows even if the server
 * has no statistics of the tables, as for tables that were filled a moment ago. With {@link WORK_MEM}, about 200,000
 * parents fit into memory, so the server does not sort the children on disk. It can use twice that for each of two
 * nodes of the plan.
 */
export async function readJoinDigest(client: Client, sql: string): Promise<JoinDigest> {
  await client.query(`SELECT pg_catalog.set_config('enable_nestloop', 'off', false), pg_catalog.set_config('work_mem',
    greatest('${WORK_MEM}'::pg_catalog.int8, pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) / 1024)::pg_catalog.text, false)`);
  const { rows } = await client.query<DigestRow & { joined: string }>(sql);
  await client.query('RESET enable_nestloop; RESET work_mem');
  return { joined: rows[0]?.joined ?? '', children: rowDigestOf(rows[0]) };
}

/** In KiB. A higher setting of the server stays. */
const WORK_MEM = 64 * 1024;
