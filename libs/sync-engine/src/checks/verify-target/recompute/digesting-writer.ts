import {
  type Client,
  type EvaluationPaths,
  OWN_PATH,
  quoteIdentifier,
  quoteTable,
} from '@understudy/postgres';
import type { Chunk } from '../../../copy/plan-chunks.js';
import type { ChunkWriter, CopyInto } from '../../../copy/copy-chunk.js';
import type { TablePlan } from '../../../plan/table-plan.js';
import { rowsOf } from '../../../verify/digest-rows.js';
import { added, digestTable, type TableDigest } from './digest-table.js';

const MADE = { schema: 'pg_temp', table: 'understudy_made' };

/**
 * Writes each chunk into a temporary table with the columns of the real table, and computes the digest of
 * this table. The values thus pass through the target's types, as in a copy. Each transaction is rolled back.
 */
export class DigestingWriter implements ChunkWriter {
  /** The digests of the tables by table index. */
  readonly digests = new Map<number, TableDigest>();

  /**
   * @param expressions the digest expressions by table index
   * @param paths the search paths for the CHECKs of the columns' domains
   */
  constructor(
    private readonly plans: readonly TablePlan[],
    private readonly expressions: ReadonlyMap<number, readonly string[]>,
    private readonly paths: EvaluationPaths,
  ) {}

  async write(client: Client, { tableIndex }: Chunk, copy: CopyInto): Promise<void> {
    const plan = this.plans[tableIndex];
    if (plan === undefined) throw new Error('a chunk of a table that is not in the job');
    const names = plan.columns.map(({ description }) => quoteIdentifier(description.name)).join(', ');
    const from = rowsOf(plan.name, plan.target?.isPartitioned === true);
    await client.query('BEGIN READ WRITE');
    // After an error the caller ends the session, and the server drops the table.
    await client.query(
      `CREATE TEMPORARY TABLE ${quoteIdentifier(MADE.table)} ON COMMIT DROP AS SELECT ${names} FROM ${from} WITH NO DATA`,
    );
    await client.query(this.paths.sqlFor(plan.target?.oid));
    await copy(MADE);
    await client.query(OWN_PATH);
    const digest = await digestTable(client, quoteTable(MADE), this.expressions.get(tableIndex) ?? []);
    await client.query('ROLLBACK');
    this.digests.set(tableIndex, added(this.digests.get(tableIndex), digest));
  }
}
