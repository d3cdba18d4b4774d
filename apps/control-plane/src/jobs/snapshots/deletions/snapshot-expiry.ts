import { Injectable } from '@nestjs/common';

import { toState } from '../../../agents/agent-work/leases/work-columns.js';
import { advance } from '../../../agents/agent-work/leases/work-state.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { RepeatingService } from '../../../platform/job-queue/repeating-task.js';
import { databaseNow } from '../../../platform/persistence/database-values.js';
import { RestoreStore } from '../restores/restore-store.js';
import { SnapshotRows } from '../snapshot-rows.js';

const BATCH = 100;

/**
 * Selects and locks expired snapshots, so that concurrent processes get different ones. $1 = now, $2 = limit.
 */
const EXPIRED = `
  SELECT id FROM snapshots
  WHERE expires_at <= $1 AND expired_at IS NULL AND delete_requested_at IS NULL AND status <> 'failed'
  ORDER BY expires_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED`;

/** Expires snapshots. An expired snapshot cannot be restored, and an agent erases it from its store. */
@Injectable()
export class SnapshotExpiry extends RepeatingService {
  constructor(
    private readonly snapshots: SnapshotRows,
    private readonly restores: RestoreStore,
    configuration: Configuration,
  ) {
    super(configuration.snapshots.expireMs);
  }

  protected async runTask(): Promise<void> {
    await this.expireAll(await this.snapshots.transaction(databaseNow));
  }

  /**
   * Expires every snapshot whose `expires_at` has passed, including those that are still being created.
   * @param now by the database's clock, because an agent then erases the snapshots
   * @returns the ids of the snapshots that this call expired
   */
  async expireAll(now: Date): Promise<string[]> {
    const expired: string[] = [];
    for (;;) {
      const batch = await this.expireBatch(now);
      expired.push(...batch);
      if (batch.length < BATCH) return expired;
    }
  }

  private expireBatch(now: Date): Promise<string[]> {
    return this.snapshots.transaction(async (manager) => {
      const due = await manager.query<{ id: string }[]>(EXPIRED, [now, BATCH]);
      for (const { id } of due) {
        const row = await this.snapshots.lock(manager, id);
        if (row === null) continue;
        await this.restores.endWaiting(manager, row);
        const state = advance(
          toState(row),
          { type: 'cancel_requested' },
          { now: await databaseNow(manager) },
        );
        await this.snapshots.write(manager, row, { state, expiredAt: now });
      }
      return due.map(({ id }) => id);
    });
  }
}
