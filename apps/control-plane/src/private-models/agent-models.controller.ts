import { Controller, Get, Param, Query } from '@nestjs/common';

import type { Caller } from '../http/pipeline/caller.js';
import { CurrentCaller } from '../http/pipeline/current-caller.js';
import { PageQuery } from '../http/dto/page.dto.js';
import { PrivateModelsService } from './private-models.service.js';

@Controller('agents/:id/models')
export class AgentModelsController {
  constructor(private readonly models: PrivateModelsService) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Param('id') id: string, @Query() query: PageQuery) {
    return this.models.listOfAgent(organizationId, id, query);
  }
}
