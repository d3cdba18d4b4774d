import { type Client, OWN_PATH, quoteLiteral } from '@understudy/postgres';
import type { Chunk } from './plan-chunks.js';
import type { ChunkWriter, CopiedChunk, CopyInto } from './copy-chunk.js';
import type { ReachStep } from '../sync-steps.js';
import { fence, touch } from '../stage/ledger/ledger-tables.sql.js';
import { rollBackAndThrow } from '../stage/claim-epoch.js';
import { isTableItself, type LedgerChunk, type StagedTable } from '../stage/ledger/staging-ledger.js';
import { stagingTable } from '../stage/staging-names.js';
import { type JobAttempt } from '../session/job-attempt.js';

const TOUCH_AFTER_MS = 30_000;

/** Writes chunks into staging. */
export class StagingWriter implements ChunkWriter {
  private readonly staged: ReadonlyMap<number, StagedTable>;
  private touchedMs: number;

  constructor(
    private readonly attempt: JobAttempt,
    staged: readonly StagedTable[],
    private readonly reached: ReachStep,
    private readonly now: () => number,
    /** Called for each committed chunk. */
    private readonly onCommitted: (chunk: LedgerChunk) => void,
    /** Returns SQL that sets the search path with which the server evaluates the table's rows. */
    private readonly setPath: (tableIndex: number) => string,
  ) {
    this.staged = new Map(staged.map((table) => [table.tableIndex, table]));
    this.touchedMs = now();
  }

  /**
   * Writes one chunk and its ledger row in one transaction.
   * @param copy writes the chunk's rows into the staging table that `write` passes to `copy`.
   * @throws SyncJobError lease_lost if a later attempt of the job has acquired the target. After any error,
   * nothing of the chunk remains.
   */
  async write(client: Client, chunk: Chunk, copy: CopyInto): Promise<void> {
    const table = this.staged.get(chunk.tableIndex);
    if (table === undefined) throw new Error(`table ${chunk.tableIndex} is not staged`);
    // If the server crashes, it may lose the last chunks, but then also their ledger rows. Copying these
    // chunks again is cheaper than waiting for the disk at every commit.
    await client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${this.setPath(chunk.tableIndex)}`);
    try {
      const copied = await copy(table.into, { isText: table.kind === 'text' });
      await this.reached('chunk_copied');
      await client.query(
        `${OWN_PATH}; ${this.ledgerInsert(chunk, table, copied)}; ${fence(this.attempt.jobId, this.attempt.epoch)}; COMMIT`,
      );
      const { tableIndex, number } = chunk;
      const { rows, bytes, truncated } = copied;
      this.onCommitted({ tableIndex, number, rows, bytes, truncated });
      await this.touch(client);
      await this.reached('chunk_committed');
    } catch (error) {
      await rollBackAndThrow(client, this.attempt, error);
    }
  }

  private ledgerInsert({ tableIndex, number }: Chunk, { kind }: StagedTable, copied: CopiedChunk): string {
    const ledger = stagingTable(this.attempt.jobId, isTableItself(kind) ? 'chunk_logged' : 'chunk_unlogged');
    const truncated = quoteLiteral(JSON.stringify(copied.truncated));
    const { rows, bytes } = copied;
    return `INSERT INTO ${ledger} (table_index, chunk, epoch, rows, bytes, truncated)
      VALUES (${tableIndex}, ${number}, ${this.attempt.epoch}, ${rows}, ${bytes}, ${truncated})`;
  }

  /** Marks the job as active, so that later jobs do not remove its staging. */
  private async touch(client: Client): Promise<void> {
    if (this.now() - this.touchedMs < TOUCH_AFTER_MS) return;
    this.touchedMs = this.now();
    const { jobId, epoch } = this.attempt;
    await client.query(touch(jobId, epoch));
  }
}
