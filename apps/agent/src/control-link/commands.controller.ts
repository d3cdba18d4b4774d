import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { ModelErasure, ReceivedSyncJob, TargetClearance } from './decode-command.js';
import { EventDelivery } from './event-delivery.js';
import type {
  ReceivedDeletion,
  ReceivedQuestion,
  ReceivedRestore,
  ReceivedSnapshot,
} from './decode-snapshot-command.js';
import { ModelErasures } from './model-erasures.js';
import { RestoreQuestions } from './restore-questions.js';
import { SnapshotDeletions } from './snapshot-deletions.js';
import { SnapshotJobs } from './snapshot-jobs.js';
import { SyncJobs } from './sync-jobs.js';
import { TargetClearances } from './target-clearances.js';

@Controller()
export class CommandsController {
  constructor(
    private readonly jobs: SyncJobs,
    private readonly snapshots: SnapshotJobs,
    private readonly deletions: SnapshotDeletions,
    private readonly questions: RestoreQuestions,
    private readonly delivery: EventDelivery,
    private readonly erasures: ModelErasures,
    private readonly clearances: TargetClearances,
  ) {}

  @EventPattern('run_sync_job')
  runSyncJob(@Payload() command: ReceivedSyncJob): Promise<void> {
    return this.jobs.accept(command);
  }

  @EventPattern('erase_private_model')
  erasePrivateModel(@Payload() erasure: ModelErasure): Promise<void> {
    return this.erasures.erase(erasure);
  }

  @EventPattern('create_snapshot')
  createSnapshot(@Payload() command: ReceivedSnapshot): Promise<void> {
    return this.snapshots.create(command);
  }

  @EventPattern('restore_snapshot')
  restoreSnapshot(@Payload() command: ReceivedRestore): Promise<void> {
    return this.snapshots.restore(command);
  }

  @EventPattern('delete_snapshot')
  deleteSnapshot(@Payload() command: ReceivedDeletion): Promise<void> {
    return this.deletions.delete(command);
  }

  @EventPattern('question')
  answer(@Payload() question: ReceivedQuestion): Promise<void> {
    return this.questions.answer(question);
  }

  @EventPattern('clear_sync_target')
  clearSyncTarget(@Payload() clearance: TargetClearance): void {
    this.clearances.begin(clearance);
  }

  @EventPattern('event_acknowledgement')
  acknowledged(@Payload() journalSeqs: readonly number[]): Promise<void> {
    return this.delivery.acknowledged(journalSeqs);
  }
}
