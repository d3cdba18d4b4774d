import { Module } from '@nestjs/common';

import { AgentWorkModule } from '../../agents/agent-work/agent-work.module.js';
import { AgentsModule } from '../../agents/registry/agents.module.js';
import { AgentModelsController, PrivateModelMessagesController } from './private-models.controller.js';
import { ModelErasuresService } from './model-erasures.service.js';
import { PrivateModelsService } from './private-models.service.js';

/** The models that agents trained and store. */
@Module({
  imports: [AgentWorkModule, AgentsModule],
  controllers: [AgentModelsController, PrivateModelMessagesController],
  providers: [ModelErasuresService, PrivateModelsService],
  exports: [PrivateModelsService],
})
export class PrivateModelsModule {}
