import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

import type { AgentHeartbeat, LeaseNews } from '../../agent-link/messages/agent-heartbeat.js';
import { senderOf } from '../../agent-link/receiving/agent-message-context.js';
import { WorkLeasesService } from './work-leases.service.js';

@Controller()
export class HeartbeatController {
  constructor(private readonly leases: WorkLeasesService) {}

  @MessagePattern('heartbeat')
  onHeartbeat(@Payload() beat: AgentHeartbeat, @Ctx() context: unknown): Promise<LeaseNews> {
    return this.leases.heartbeat(senderOf(context), beat);
  }
}
