import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { ModelErasure, ReceivedSyncJob, TargetClearance } from './decode-command.js';
import { EventDelivery } from './event-delivery.js';
import { JobsInBackground } from './jobs-in-background.js';
import { ModelErasures } from './model-erasures.js';
import { TargetClearances } from './target-clearances.js';

@Controller()
export class CommandsController {
  constructor(
    private readonly jobs: JobsInBackground,
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

  @EventPattern('clear_sync_target')
  clearSyncTarget(@Payload() clearance: TargetClearance): void {
    this.clearances.begin(clearance);
  }

  @EventPattern('event_acknowledgement')
  acknowledged(@Payload() journalSeqs: readonly number[]): Promise<void> {
    return this.delivery.acknowledged(journalSeqs);
  }
}
