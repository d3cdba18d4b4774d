import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

import { AgentMessageContext } from '../agent-link/agent-message-context.js';
import { ModelErasuresService } from './model-erasures.service.js';

/** What agents say of the models that they keep. */
@Controller()
export class PrivateModelMessagesController {
  constructor(private readonly erasures: ModelErasuresService) {}

  @EventPattern('private_model_erased')
  async onErased(@Payload() erasureId: string, @Ctx() context: unknown): Promise<void> {
    if (!(context instanceof AgentMessageContext)) throw new TypeError('the message has no sender');
    await this.erasures.answered(erasureId, context.agentId);
  }
}
