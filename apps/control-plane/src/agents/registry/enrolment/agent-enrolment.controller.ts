import { Body, Controller, Post, Query } from '@nestjs/common';

import { type ApiRequest, PublicRequest } from '../../../platform/http/pipeline/caller-request.js';
import { FromAgent, type SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { NoQuery } from '../../../platform/http/dto/empty-request.dto.js';
import { AgentEnrolmentService } from './agent-enrolment.service.js';
import type { CredentialsResponse } from '../agent-responses.js';
import { EnrolAgentDto, RenewAgentDto } from '../agents.dto.js';

/** The operations that agents call themselves, without an API token. */
@Controller('agents')
export class AgentEnrolmentController {
  constructor(private readonly enrolment: AgentEnrolmentService) {}

  @Post('enroll')
  enrol(
    @PublicRequest() request: ApiRequest,
    @Query() _: NoQuery,
    @Body() body: EnrolAgentDto,
  ): Promise<CredentialsResponse> {
    return this.enrolment.enrol(request, body);
  }

  @Post('renew')
  renew(
    @FromAgent() request: SignedRequest,
    @Query() _: NoQuery,
    @Body() body: RenewAgentDto,
  ): Promise<CredentialsResponse> {
    return this.enrolment.renew(request, body);
  }
}
