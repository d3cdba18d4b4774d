import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { ModelErasure, ReceivedSyncJob } from './decode-command.js';
import { EventDelivery } from './event-delivery.js';
import { JobsInBackground } from './jobs-in-background.js';
import { ModelErasures } from './model-erasures.js';

@Controller()
export class CommandsController {
  constructor(
    private readonly jobs: JobsInBackground,
    private readonly delivery: EventDelivery,
    private readonly erasures: ModelErasures,
  ) {}

  @EventPattern('run_sync_job')
  runSyncJob(@Payload() command: ReceivedSyncJob): Promise<void> {
    return this.jobs.accept(command);
  }

  @EventPattern('erase_private_model')
  erasePrivateModel(@Payload() erasure: ModelErasure): Promise<void> {
    return this.erasures.erase(erasure);
  }

  @EventPattern('event_acknowledgement')
  acknowledged(@Payload() journalSeqs: readonly number[]): Promise<void> {
    return this.delivery.acknowledged(journalSeqs);
  }
}
