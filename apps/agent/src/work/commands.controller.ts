import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type {
  ModelErasure,
  RestoreCommand,
  RestorePrecheck,
  SnapshotCommand,
  SnapshotDeletion,
  SyncJobCommand,
  TargetCleanup,
} from '@understudy/agent-protocol';

import { EventDelivery } from '../link/event-delivery.js';
import { ModelErasures } from './tasks/model-erasures.js';
import { RestorePrechecks } from './tasks/restore-prechecks.js';
import { SnapshotDeletions } from './tasks/snapshot-deletions.js';
import { SnapshotJobs } from './jobs/snapshot-jobs.js';
import { SyncJobs } from './jobs/sync-jobs.js';
import { TargetCleanups } from './tasks/target-cleanups.js';

@Controller()
export class CommandsController {
  constructor(
    private readonly jobs: SyncJobs,
    private readonly snapshots: SnapshotJobs,
    private readonly deletions: SnapshotDeletions,
    private readonly prechecks: RestorePrechecks,
    private readonly delivery: EventDelivery,
    private readonly erasures: ModelErasures,
    private readonly cleanups: TargetCleanups,
  ) {}

  @EventPattern('run_sync_job')
  runSyncJob(@Payload() command: SyncJobCommand): Promise<void> {
    return this.jobs.accept(command);
  }

  @EventPattern('erase_private_model')
  erasePrivateModel(@Payload() erasure: ModelErasure): Promise<void> {
    return this.erasures.erase(erasure);
  }

  @EventPattern('create_snapshot')
  createSnapshot(@Payload() command: SnapshotCommand): Promise<void> {
    return this.snapshots.create(command);
  }

  @EventPattern('restore_snapshot')
  restoreSnapshot(@Payload() command: RestoreCommand): Promise<void> {
    return this.snapshots.restore(command);
  }

  @EventPattern('delete_snapshot')
  deleteSnapshot(@Payload() command: SnapshotDeletion): Promise<void> {
    return this.deletions.delete(command);
  }

  @EventPattern('precheck_restore')
  precheckRestore(@Payload() request: { id: string; precheck: RestorePrecheck }): Promise<void> {
    return this.prechecks.run(request);
  }

  @EventPattern('clear_sync_target')
  clearSyncTarget(@Payload() cleanup: TargetCleanup): void {
    this.cleanups.begin(cleanup);
  }

  @EventPattern('event_acknowledgement')
  acknowledged(@Payload() journalSeqs: readonly number[]): Promise<void> {
    return this.delivery.acknowledged(journalSeqs);
  }
}
