import { Controller, Logger } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { encodeDeletion, type SnapshotDeletion } from '@understudy/agent-protocol';
import { SnapshotRunner } from '@understudy/snapshot-engine';

import { AgentSnapshotStore } from '../../snapshots/agent-snapshot-store.js';
import { EventDelivery } from '../../link/event-delivery.js';

/**
 * Deletes snapshots on command of the control plane, which also sends the command when a snapshot expires. The
 * operation is idempotent.
 */
@Controller()
export class SnapshotDeletions {
  private readonly logger = new Logger(SnapshotDeletions.name);

  constructor(
    private readonly runner: SnapshotRunner,
    private readonly store: AgentSnapshotStore,
    private readonly delivery: EventDelivery,
  ) {}

  /**
   * Deletes a snapshot, unless it is younger than the policy's `min_age_hours`. Resolves when the result is
   * in the journal.
   * @throws SnapshotStoreError if the store fails; the command is then delivered again
   */
  @EventPattern('delete_snapshot')
  async delete(@Payload() { id: deletionId, store, ...command }: SnapshotDeletion): Promise<void> {
    if (store !== this.store.id) {
      this.logger.warn(
        `${deletionId} is ignored: it is for another snapshot store than the one of this agent`,
      );
      return;
    }
    const keptMs = await this.runner.delete(command);
    if (keptMs === 0) this.logger.log(`${command.snapshotId} is deleted (${deletionId})`);
    else
      this.logger.warn(
        `${command.snapshotId} is kept because of min_age_hours in the policy (${deletionId})`,
      );
    await this.delivery.deliver((journalSeq) =>
      encodeDeletion(journalSeq, { deletionId, keptMs }, new Date()),
    );
  }
}
