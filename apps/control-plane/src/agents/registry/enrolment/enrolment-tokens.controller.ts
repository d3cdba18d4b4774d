import { Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../../platform/http/operations/handles.js';
import { AGENTS } from '../agents.operations.js';
import { type CallerRequest, CurrentRequest } from '../../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { EnrolmentTokensService } from './enrolment-tokens.service.js';

@Controller()
export class EnrolmentTokensController {
  constructor(private readonly tokens: EnrolmentTokensService) {}

  @Handles(AGENTS.createEnrolmentToken)
  create(@CurrentRequest() request: CallerRequest) {
    return this.tokens.create(request);
  }

  @Handles(AGENTS.listEnrolmentTokens)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: PageQuery) {
    return this.tokens.list(caller.organizationId, query);
  }

  @Handles(AGENTS.getEnrolmentToken)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.tokens.get(caller.organizationId, id);
  }

  @Handles(AGENTS.revokeEnrolmentToken)
  revoke(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.tokens.revoke(request, id);
  }
}
