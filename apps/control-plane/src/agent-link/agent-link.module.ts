import { Global, Module } from '@nestjs/common';

import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { DatabasePresence } from '../persistence/database-presence.js';
import { AgentLinkServer } from './agent-link-server.js';
import { AgentLinkService } from './agent-link.service.js';
import { AgentQuestions } from './agent-questions.js';
import { AgentTrustService } from './agent-trust.service.js';
import { AnswersController } from './answers.controller.js';
import { PoisonEvents } from './poison-events.js';

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
