import { Controller, Delete, Get, Param, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { AgentsService } from './agents.service.js';

@Controller('agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: PageQuery) {
    return this.agents.list(organizationId, query);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.agents.get(organizationId, id);
  }

  @Delete(':id')
  revoke(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.agents.revoke(request, id);
  }
}
