import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import {
  CLAIM_OUTBOX,
  FORGET_PUBLISHED,
  RELEASE_CLAIMED,
  MARK_PUBLISHED,
  OUTBOX_LAG,
} from './claim-outbox.sql.js';
import { JobQueue } from './job-queue.js';
import { OutboxEntity } from './outbox.entity.js';
import { RepeatingService } from './repeating-task.js';
import { changedRows } from '../persistence/statements.js';

const BATCH = 200;
const FORGET_BATCH = 1_000;
/** The duration of a relay's claim. It exceeds the timeout for adding the claimed rows to the queue. */
const CLAIM_MS = 30_000;

export interface OutboxLag {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/**
 * Stores jobs in the transaction that requests them, and adds them to the queue after the commit, at least
 * once.
 */
@Injectable()
export class OutboxService extends RepeatingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    configuration: Configuration,
  ) {
    super(configuration.syncJobs.relayMs);
  }

  /** Stores a job inside the caller's transaction. Call {@link wake} after the commit. */
  async write(manager: EntityManager, topic: string, key: string): Promise<void> {
    await manager.insert(OutboxEntity, { topic, key });
  }

  async lag(): Promise<OutboxLag> {
    const [lag] = await this.dataSource.query<OutboxLag[]>(OUTBOX_LAG);
    return lag ?? { waiting: 0, oldestSeconds: 0 };
  }

  protected async runTask(): Promise<void> {
    while ((await this.relayBatch()) === BATCH);
    await this.inBatches(FORGET_BATCH, () => changedRows(this.dataSource, FORGET_PUBLISHED, [FORGET_BATCH]));
  }

  private async relayBatch(): Promise<number> {
    // TypeORM returns [rows, count] for an UPDATE … RETURNING.
    const [rows] = await this.dataSource.query<[ClaimedRow[], number]>(CLAIM_OUTBOX, [BATCH, CLAIM_MS]);
    rows.sort((one, other) => Number(one.id) - Number(other.id));
    const topics = [...new Set(rows.map(({ topic }) => topic))];
    const ends = await Promise.allSettled(
      topics.map((topic) =>
        this.publish(
          topic,
          rows.filter((row) => row.topic === topic),
        ),
      ),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return rows.length;
  }

  /**
   * Adds rows to the queue. If a claim expires, another relay adds the same rows. This does no harm, because
   * the queue ignores duplicates.
   */
  private async publish(topic: string, rows: readonly ClaimedRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    try {
      await this.queue.add(
        topic,
        rows.map(({ key }) => key),
      );
    } catch (error) {
      await this.dataSource.query(RELEASE_CLAIMED, [ids]);
      throw error;
    }
    await this.dataSource.query(MARK_PUBLISHED, [ids]);
  }
}

interface ClaimedRow {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
}
