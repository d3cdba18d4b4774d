import { Controller, Param, Query } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

import { Handles } from '../../platform/http/operations/handles.js';
import { PRIVATE_MODELS } from './private-models.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { PrivateModelsService } from './private-models.service.js';
import { senderOf } from '../../agents/agent-link/receiving/message-context.js';
import { ModelErasuresService } from './model-erasures.service.js';

@Controller()
export class AgentModelsController {
  constructor(private readonly models: PrivateModelsService) {}

  @Handles(PRIVATE_MODELS.listAgentModels)
  list(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string, @Query() query: PageQuery) {
    return this.models.listOfAgent(caller.organizationId, id, query);
  }
}

/** Receives messages of agents about the models that they store. */
@Controller()
export class PrivateModelMessagesController {
  constructor(private readonly erasures: ModelErasuresService) {}

  @EventPattern('private_model_erased')
  async onErased(@Payload() erasureId: string, @Ctx() context: unknown): Promise<void> {
    await this.erasures.acknowledged(erasureId, senderOf(context));
  }
}
