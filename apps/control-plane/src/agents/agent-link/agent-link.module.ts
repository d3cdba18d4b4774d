import { Global, Module } from '@nestjs/common';

import { DeadLettersModule } from '../../platform/dead-letters/dead-letters.module.js';
import { DatabaseHealth } from '../../platform/persistence/database-health.js';
import { AgentLinkServer } from './receiving/agent-link-server.js';
import { AgentLinkService } from './connection/agent-link.service.js';
import { AgentPrechecks, PrecheckResponsesController } from './receiving/agent-prechecks.js';
import { AgentTrustService } from './connection/agent-trust.service.js';
import { PoisonEvents } from './receiving/poison-events.js';

/** The only module of the control plane that uses NATS and protobuf. */
@Global()
@Module({
  imports: [DeadLettersModule],
  controllers: [PrecheckResponsesController],
  providers: [
    AgentLinkService,
    AgentLinkServer,
    AgentPrechecks,
    AgentTrustService,
    DatabaseHealth,
    PoisonEvents,
  ],
  exports: [AgentLinkService, AgentLinkServer, AgentPrechecks, AgentTrustService],
})
export class AgentLinkModule {}
