import { Global, Module } from '@nestjs/common';

import { AgentLinkServer } from './agent-link-server.js';
import { AgentLinkService } from './agent-link.service.js';
import { AgentQuestions } from './agent-questions.js';
import { AgentTrustService } from './agent-trust.service.js';
import { AnswersController } from './answers.controller.js';

/** The only place of the control plane that knows NATS and protobuf. */
@Global()
@Module({
  controllers: [AnswersController],
  providers: [AgentLinkService, AgentLinkServer, AgentQuestions, AgentTrustService],
  exports: [AgentLinkService, AgentLinkServer, AgentQuestions, AgentTrustService],
})
export class AgentLinkModule {}
