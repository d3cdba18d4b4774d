import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';

import { AgentLinkModule } from './agent-link/agent-link.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { ApiDescriptionModule } from './api-description/api-description.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import type { Configuration } from './config/configuration.js';
import { ConfigurationModule } from './config/configuration.module.js';
import { GenerationModule } from './generation/generation.module.js';
import { GeneratorsModule } from './generators/generators.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { JobQueueModule } from './job-queue/job-queue.module.js';
import { MembersModule } from './members/members.module.js';
import { MockEndpointsModule } from './mock-endpoints/mock-endpoints.module.js';
import { ModelsModule } from './models/models.module.js';
import { OperationsModule } from './monitoring/monitoring.module.js';
import { logOptions } from './monitoring/request-log.js';
import { OidcSignInModule } from './oidc-sign-in/oidc-sign-in.module.js';
import { OrganizationModule } from './organization/organization.module.js';
import { PersistenceModule } from './persistence/persistence.module.js';
import { PrivateModelsModule } from './private-models/private-models.module.js';
import { RateLimitsModule } from './http/rate-limits/rate-limits.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SnapshotsModule } from './snapshots/snapshots.module.js';
import { SyncJobsModule } from './sync-jobs/sync-jobs.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { UsageModule } from './usage/usage.module.js';
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
        SnapshotsModule,
        OperationsModule,
        RetentionModule,
        ApiDescriptionModule,
      ],
    };
  }
}
