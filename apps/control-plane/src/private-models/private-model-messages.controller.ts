import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

import { senderOf } from '../agent-link/receiving/agent-message-context.js';
import { ModelErasuresService } from './model-erasures.service.js';

/** What agents say of the models that they keep. */
@Controller()
export class PrivateModelMessagesController {
  constructor(private readonly erasures: ModelErasuresService) {}

  @EventPattern('private_model_erased')
  async onErased(@Payload() erasureId: string, @Ctx() context: unknown): Promise<void> {
    await this.erasures.answered(erasureId, senderOf(context));
  }
}
