import { Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { AGENTS } from './agents.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { AgentsService } from './agents.service.js';

@Controller()
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Handles(AGENTS.listAgents)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: PageQuery) {
    return this.agents.list(caller.organizationId, query);
  }

  @Handles(AGENTS.getAgent)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.agents.get(caller.organizationId, id);
  }

  @Handles(AGENTS.revokeAgent)
  revoke(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.agents.revoke(request, id);
  }
}
