import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AgentWorkModule } from '../../agents/agent-work/agent-work.module.js';
import { AgentsModule } from '../../agents/registry/agents.module.js';
import { AgentModelsController, PrivateModelMessagesController } from './private-models.controller.js';
import { ModelErasureEntity } from './model-erasure.entity.js';
import { ModelErasuresService } from './model-erasures.service.js';
import { PrivateModelEntity } from './private-model.entity.js';
import { PrivateModelsService } from './private-models.service.js';

/** The models that agents trained and store. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PrivateModelEntity, ModelErasureEntity]),
    AgentWorkModule,
    AgentsModule,
  ],
  controllers: [AgentModelsController, PrivateModelMessagesController],
  providers: [ModelErasuresService, PrivateModelsService],
  exports: [PrivateModelsService],
})
export class PrivateModelsModule {}
