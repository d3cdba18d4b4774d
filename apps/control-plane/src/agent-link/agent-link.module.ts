import { Global, Module } from '@nestjs/common';

import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { DatabasePresence } from '../persistence/database-presence.js';
import { AgentLinkServer } from './receiving/agent-link-server.js';
import { AgentLinkService } from './connection/agent-link.service.js';
import { AgentQuestions, AnswersController } from './receiving/agent-prechecks.js';
import { AgentTrustService } from './connection/agent-trust.service.js';
import { PoisonEvents } from './receiving/poison-events.js';

/** The only place of the control plane that knows NATS and protobuf. */
@Global()
@Module({
  imports: [DeadLettersModule],
  controllers: [AnswersController],
  providers: [
    AgentLinkService,
    AgentLinkServer,
    AgentQuestions,
    AgentTrustService,
    DatabasePresence,
    PoisonEvents,
  ],
  exports: [AgentLinkService, AgentLinkServer, AgentQuestions, AgentTrustService],
})
export class AgentLinkModule {}
