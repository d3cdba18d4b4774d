import { type Client, quoteLiteral } from '@understudy/postgres';
import type { Chunk } from './plan-chunks.js';
import type { CopiedChunk } from './copy-chunk.js';
import type { ChunkWriter, CopyInto } from './copy-chunks.js';
import type { ReachStep } from '../steps.js';
import { fence, touch } from '../stage/ledger/ledger-tables.sql.js';
import { rollBackAndThrow } from '../stage/claim-epoch.js';
import { isTableItself, type LedgerChunk, type StagedTable } from '../stage/ledger/staging-ledger.js';
import { stagingTable } from '../stage/staging-names.js';
import { type JobAttempt } from '../session/job-attempt.js';

const TOUCH_AFTER_MS = 30_000;

/** Writes chunks into staging, each with its row of the ledger in one transaction of the client that is given. */
export class StagingWriter implements ChunkWriter {
  private readonly staged: ReadonlyMap<number, StagedTable>;
  private touchedMs: number;

  constructor(
    private readonly attempt: JobAttempt,
    staged: readonly StagedTable[],
    private readonly reached: ReachStep,
    private readonly now: () => number,
    /** Told of each chunk that is committed. */
    private readonly onCommitted: (chunk: LedgerChunk) => void,
  ) {
    this.staged = new Map(staged.map((table) => [table.tableIndex, table]));
    this.touchedMs = now();
  }

  /**
   * @param copy sends the rows into the table that it is given, which is not the real one
   * @throws SyncJobError lease_lost when a later attempt has the job; then, and after any other error, nothing of the chunk stays
   */
  async write(client: Client, chunk: Chunk, copy: CopyInto): Promise<void> {
    const table = this.staged.get(chunk.tableIndex);
    if (table === undefined) throw new Error(`table ${chunk.tableIndex} is not staged`);
    // A server that crashes may lose the last chunks, rows and ledger alike: not worth a wait for the disk each.
    await client.query('BEGIN; SET LOCAL synchronous_commit = off');
    try {
      const copied = await copy(table.into, { isText: table.kind === 'text' });
      await this.reached('chunk_copied');
      await client.query(
        `${this.note(chunk, table, copied)}; ${fence(this.attempt.jobId, this.attempt.epoch)}; COMMIT`,
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

  private note({ tableIndex, number }: Chunk, { kind }: StagedTable, copied: CopiedChunk): string {
    const ledger = stagingTable(this.attempt.jobId, isTableItself(kind) ? 'chunk_logged' : 'chunk_unlogged');
    const truncated = quoteLiteral(JSON.stringify(copied.truncated));
    const { rows, bytes, checksum } = copied;
    return `INSERT INTO ${ledger} (table_index, chunk, epoch, rows, bytes, checksum, truncated)
      VALUES (${tableIndex}, ${number}, ${this.attempt.epoch}, ${rows}, ${bytes}, ${checksum}, ${truncated})`;
  }

  /** A job that is at work is not swept as forgotten. */
  private async touch(client: Client): Promise<void> {
    if (this.now() - this.touchedMs < TOUCH_AFTER_MS) return;
    this.touchedMs = this.now();
    const { jobId, epoch } = this.attempt;
    await client.query(touch(jobId, epoch));
  }
}
