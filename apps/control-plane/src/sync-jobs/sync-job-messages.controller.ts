import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';

import { AgentMessageContext } from '../agent-link/agent-message-context.js';
import type { AgentHeartbeat, LeaseNews, SyncJobEvent } from '../agent-link/sync-job-event.js';
import { SyncJobEventsService } from './sync-job-events.service.js';
import { SyncJobLeasesService } from './sync-job-leases.service.js';
import { TargetClearancesService } from './target-clearances.service.js';

/** What agents say. The sender is read from the subject, which its permissions guarantee. */
@Controller()
export class SyncJobMessagesController {
  constructor(
    private readonly events: SyncJobEventsService,
    private readonly leases: SyncJobLeasesService,
    private readonly clearances: TargetClearancesService,
  ) {}

  @EventPattern('sync_job')
  async onEvent(@Payload() event: SyncJobEvent, @Ctx() context: unknown): Promise<void> {
    await this.events.apply(event, senderOf(context));
  }

  @EventPattern('sync_target_cleared')
  async onCleared(@Payload() jobId: string, @Ctx() context: unknown): Promise<void> {
    await this.clearances.cleared(jobId, senderOf(context));
  }

  @MessagePattern('heartbeat')
  onHeartbeat(@Payload() beat: AgentHeartbeat, @Ctx() context: unknown): Promise<LeaseNews> {
    return this.leases.heartbeat(senderOf(context), beat);
  }
}

// The decorators of @nestjs/microservices take handlers of unknown arguments only.
function senderOf(context: unknown): string {
  if (context instanceof AgentMessageContext) return context.agentId;
  throw new TypeError('the message has no sender');
}
