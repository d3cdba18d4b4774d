import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { RestoreCommand, SnapshotCommand } from '@understudy/agent-protocol';
import { SnapshotRunner } from '@understudy/snapshot-engine';

import { AgentSnapshotStore } from '../../snapshots/agent-snapshot-store.js';
import { EventDelivery } from '../../link/event-delivery.js';
import { JobsInBackground } from './jobs-in-background.js';
import { DatabaseReferences } from './database-references.js';
import { sealedText } from './sealed-text.js';
import { restoreReporter, snapshotReporter } from '../reports/reporters.js';

/** Accepts commands to create and to restore snapshots. */
@Controller()
export class SnapshotJobs {
  constructor(
    private readonly jobs: JobsInBackground,
    private readonly delivery: EventDelivery,
    private readonly runner: SnapshotRunner,
    private readonly store: AgentSnapshotStore,
    private readonly databases: DatabaseReferences,
  ) {}

  /**
   * Resolves when the command is accepted or refused.
   * @throws AgentBusyError
   */
  @EventPattern('create_snapshot')
  create(@Payload() command: SnapshotCommand): Promise<void> {
    const lease = { jobId: command.snapshotId, epoch: command.epoch };
    return this.jobs.accept({ ...lease, graceSeconds: command.graceSeconds }, ({ signal }) => {
      const reporter = snapshotReporter({ lease, delivery: this.delivery, signal }, this.store.id);
      const purpose = { jobId: command.snapshotId, field: 'source' } as const;
      return {
        reporter,
        run: async () => {
          const database = await this.databases.open(command.database, purpose);
          await this.runner.create({ ...command, database }, reporter, signal);
        },
      };
    });
  }

  /**
   * Resolves when the command is accepted or refused.
   * @throws AgentBusyError
   */
  @EventPattern('restore_snapshot')
  restore(@Payload() command: RestoreCommand): Promise<void> {
    const lease = { jobId: command.restoreId, epoch: command.epoch };
    return this.jobs.accept({ ...lease, graceSeconds: command.graceSeconds }, ({ signal }) => {
      const reporter = restoreReporter({ lease, delivery: this.delivery, signal });
      const purpose = { jobId: command.restoreId, field: 'target' } as const;
      return {
        reporter,
        run: async () => {
          const target = await this.databases.open(command.target, purpose);
          const sealedTarget = sealedText(command.target);
          await this.runner.restore({ ...command, target, sealedTarget }, reporter, signal);
        },
      };
    });
  }
}
