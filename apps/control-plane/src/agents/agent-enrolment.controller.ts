import { Body, Controller, HttpCode, Post } from '@nestjs/common';

import type { Caller } from '../http/caller.js';
import { CurrentCaller } from '../http/decorators/current-caller.js';
import { Public } from '../http/decorators/public.js';
import { RequiresRole } from '../http/decorators/requires-role.js';
import { AgentEnrolmentService } from './agent-enrolment.service.js';
import type { CredentialsResponse } from './agent-responses.js';
import { EnrolAgentDto, RenewAgentDto } from './agents.dto.js';

@Controller('agents')
export class AgentEnrolmentController {
  constructor(private readonly enrolment: AgentEnrolmentService) {}

  @Post('enrolment-tokens')
  @RequiresRole('admin')
  async createToken(@CurrentCaller() caller: Caller): Promise<{ token: string; expires_at: string }> {
    const { token, expiresAt } = await this.enrolment.createToken(caller.organizationId);
    return { token, expires_at: expiresAt.toISOString() };
  }

  @Post('enroll')
  @Public()
  enrol(@Body() request: EnrolAgentDto): Promise<CredentialsResponse> {
    return this.enrolment.enrol(request);
  }

  @Post('renew')
  @Public()
  @HttpCode(200)
  renew(@Body() request: RenewAgentDto): Promise<CredentialsResponse> {
    return this.enrolment.renew(request);
  }
}
