import { Module } from '@nestjs/common';

import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { AgentAbsences } from './absences/agent-absences.service.js';
import { AgentEnrolmentController } from './enrolment/agent-enrolment.controller.js';
import { AgentEnrolmentService } from './enrolment/agent-enrolment.service.js';
import { AgentSignatures } from './credentials/agent-signatures.service.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { AgentInstances } from './instances/agent-instances.service.js';
import { EnrolmentTokensController } from './enrolment/enrolment-tokens.controller.js';
import { EnrolmentTokensService } from './enrolment/enrolment-tokens.service.js';

@Module({
  imports: [WebhooksModule],
  controllers: [AgentEnrolmentController, EnrolmentTokensController, AgentsController],
  providers: [
    AgentAbsences,
    AgentsService,
    AgentEnrolmentService,
    AgentSignatures,
    AgentInstances,
    EnrolmentTokensService,
  ],
  exports: [AgentsService, AgentEnrolmentService, AgentSignatures],
})
export class AgentsModule {}
