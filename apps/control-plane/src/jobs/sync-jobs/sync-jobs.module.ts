import { Module } from '@nestjs/common';

import { AgentWorkModule } from '../../agents/agent-work/agent-work.module.js';
import { AgentsModule } from '../../agents/registry/agents.module.js';
import { GenerationModule } from '../../data/generation/generation.module.js';
import { CustomModelsModule } from '../../data/models/custom/custom-models.module.js';
import { PrivateModelsModule } from '../../data/private-models/private-models.module.js';
import { KeptDatabasesModule } from '../kept-databases/kept-databases.module.js';
import { UsageModule } from '../../accounts/usage/usage.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { HostedModelsController } from './hosted-models/hosted-models.controller.js';
import { HostedModelsService } from './hosted-models/hosted-models.service.js';
import { SyncJobEventsService } from './events/sync-job-events.service.js';
import { SyncJobMessagesController } from './events/sync-job-messages.controller.js';
import { SyncJobReleaseService } from './requests/sync-job-release.service.js';
import { SyncJobRemovalService } from './requests/sync-job-removal.service.js';
import { SyncJobStore } from './sync-job-store.js';
import { TargetCleanupsService } from './cleanup/target-cleanups.service.js';
import { JobTablesService } from './tables/job-tables.service.js';
import { StoredDataController } from './stored-data/stored-data.controller.js';
import { StoredDataService } from './stored-data/stored-data.service.js';
import { SyncJobsController } from './requests/sync-jobs.controller.js';
import { SyncJobsService } from './requests/sync-jobs.service.js';

/** Sync jobs: accepts requests for copies, dispatches them to agents, and stores progress and results. */
@Module({
  imports: [
    AgentWorkModule,
    AgentsModule,
    CustomModelsModule,
    KeptDatabasesModule,
    GenerationModule,
    PrivateModelsModule,
    UsageModule,
    WebhooksModule,
  ],
  controllers: [SyncJobsController, StoredDataController, SyncJobMessagesController, HostedModelsController],
  providers: [
    HostedModelsService,
    JobTablesService,
    StoredDataService,
    SyncJobEventsService,
    SyncJobReleaseService,
    SyncJobRemovalService,
    SyncJobsService,
    SyncJobStore,
    TargetCleanupsService,
  ],
})
export class SyncJobsModule {}
