import { Body, Controller } from '@nestjs/common';

import { Handles } from '../../../platform/http/operations/handles.js';
import { AGENTS } from '../agents.operations.js';
import { type ApiRequest, PublicRequest } from '../../../platform/http/pipeline/caller-request.js';
import { FromAgent, type SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { AgentEnrolmentService } from './agent-enrolment.service.js';
import { EnrolAgentDto, RenewAgentDto } from '../agents.dto.js';

/** The operations that agents call themselves, without an API token. */
@Controller()
export class AgentEnrolmentController {
  constructor(private readonly enrolment: AgentEnrolmentService) {}

  @Handles(AGENTS.enrolAgent)
  enrol(@PublicRequest() request: ApiRequest, @Body() body: EnrolAgentDto) {
    return this.enrolment.enrol(request, body);
  }

  @Handles(AGENTS.renewAgent)
  renew(@FromAgent() request: SignedRequest, @Body() body: RenewAgentDto) {
    return this.enrolment.renew(request, body);
  }
}
