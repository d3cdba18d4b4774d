import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { SyncJobEvent } from '@understudy/agent-protocol';

import { senderOf } from '../../../agents/agent-link/receiving/message-context.js';
import { SyncJobEventsService } from './sync-job-events.service.js';
import { TargetCleanupsService } from '../cleanup/target-cleanups.service.js';

/** Receives the messages of agents about sync jobs. */
@Controller()
export class SyncJobMessagesController {
  constructor(
    private readonly events: SyncJobEventsService,
    private readonly cleanups: TargetCleanupsService,
  ) {}

  @EventPattern('sync_job')
  async onEvent(@Payload() event: SyncJobEvent, @Ctx() context: unknown): Promise<void> {
    await this.events.apply(event, senderOf(context));
  }

  @EventPattern('sync_target_cleared')
  async onCleared(@Payload() jobId: string, @Ctx() context: unknown): Promise<void> {
    await this.cleanups.acknowledged(jobId, senderOf(context));
  }
}
