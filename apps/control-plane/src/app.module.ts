import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';

import { AgentLinkModule } from './agents/agent-link/agent-link.module.js';
import { AgentsModule } from './agents/registry/agents.module.js';
import { ApiDescriptionModule } from './api-description/api-description.module.js';
import { AuditLogModule } from './platform/audit-log/audit-log.module.js';
import type { Configuration } from './platform/config/configuration.js';
import { ConfigurationModule } from './platform/config/configuration.module.js';
import { GenerationModule } from './data/generation/generation.module.js';
import { GeneratorsModule } from './data/generators/generators.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { JobQueueModule } from './platform/job-queue/job-queue.module.js';
import { MembersModule } from './accounts/members/members.module.js';
import { MockEndpointsModule } from './data/mock-endpoints/mock-endpoints.module.js';
import { ModelsModule } from './data/models/models.module.js';
import { MonitoringModule } from './monitoring/monitoring.module.js';
import { logOptions } from './monitoring/request-log.js';
import { OidcSignInModule } from './accounts/oidc-sign-in/oidc-sign-in.module.js';
import { OrganizationModule } from './accounts/organization/organization.module.js';
import { PersistenceModule } from './platform/persistence/persistence.module.js';
import { PrivateModelsModule } from './data/private-models/private-models.module.js';
import { RateLimitsModule } from './platform/http/rate-limits/rate-limits.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SessionsModule } from './accounts/sessions/sessions.module.js';
import { KeptDatabasesModule } from './jobs/kept-databases/kept-databases.module.js';
import { SnapshotsModule } from './jobs/snapshots/snapshots.module.js';
import { SyncJobsModule } from './jobs/sync-jobs/sync-jobs.module.js';
import { TokensModule } from './accounts/tokens/tokens.module.js';
import { UsageModule } from './accounts/usage/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The root module of the control plane: the shared parts first, then one module for each feature. */
@Module({})
export class AppModule {
  static for(configuration: Configuration): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigurationModule.for(configuration),
        LoggerModule.forRoot(logOptions(configuration.logLevel)),
        PersistenceModule,
        HttpModule,
        IdempotencyModule,
        JobQueueModule,
        AgentLinkModule,
        RateLimitsModule,
        UsageModule,
        TokensModule,
        SessionsModule,
        OidcSignInModule,
        OrganizationModule,
        MembersModule,
        AuditLogModule,
        AgentsModule,
        PrivateModelsModule,
        GenerationModule,
        ModelsModule,
        GeneratorsModule,
        MockEndpointsModule,
        WebhooksModule,
        SyncJobsModule,
        KeptDatabasesModule,
        SnapshotsModule,
        MonitoringModule,
        RetentionModule,
        ApiDescriptionModule,
      ],
    };
  }
}
