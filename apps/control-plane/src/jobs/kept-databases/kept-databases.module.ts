import { Module } from '@nestjs/common';

import { AgentWorkModule } from '../../agents/agent-work/agent-work.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { KeptDatabasesService } from './kept-databases.service.js';
import { KeptDatabaseMessages, RevertsController } from './reverts.controller.js';
import { RevertsService } from './reverts.service.js';

/** Databases that jobs and restores have replaced: when they are dropped, and how they come back. */
@Module({
  imports: [AgentWorkModule, WebhooksModule],
  controllers: [RevertsController, KeptDatabaseMessages],
  providers: [KeptDatabasesService, RevertsService],
  exports: [KeptDatabasesService],
})
export class KeptDatabasesModule {}
