import { Injectable, Logger } from '@nestjs/common';
import { SnapshotRunner } from '@understudy/snapshot-engine';

import { AgentSnapshotStore } from '../../snapshots/agent-snapshot-store.js';
import type { ReceivedDeletion } from '../../wire/decode-snapshot-command.js';
import { encodeDeletion } from '../../wire/encode-task-result.js';
import { EventDelivery } from '../../link/event-delivery.js';

/** Deletes snapshots that the control plane was asked to delete, or that have expired by its clock. Once or ten times is the same. */
@Injectable()
export class SnapshotDeletions {
  private readonly logger = new Logger(SnapshotDeletions.name);

  constructor(
    private readonly runner: SnapshotRunner,
    private readonly store: AgentSnapshotStore,
    private readonly delivery: EventDelivery,
  ) {}

  /** Resolves when nothing of it is left, or the policy keeps it, and the answer is in the journal. @throws SnapshotStoreError: the command comes again */
  async delete({ deletionId, store, ...command }: ReceivedDeletion): Promise<void> {
    if (!Buffer.from(store).equals(this.store.id)) {
      this.logger.warn(`${deletionId} is for another store than the agent has now`);
      return;
    }
    const keptMs = await this.runner.delete(command);
    if (keptMs === 0) this.logger.log(`${command.snapshotId} is deleted (${deletionId})`);
    else this.logger.warn(`${command.snapshotId} is kept by the policy, min_age_hours (${deletionId})`);
    await this.delivery.deliver((journalSeq) =>
      encodeDeletion(journalSeq, { deletionId, keptMs }, new Date()),
    );
  }
}
