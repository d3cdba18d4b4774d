import { Controller, Delete, Get, Param } from '@nestjs/common';

import type { Caller } from '../http/caller.js';
import { CurrentCaller } from '../http/decorators/current-caller.js';
import { RequiresRole } from '../http/decorators/requires-role.js';
import type { AgentResponse } from './agent-responses.js';
import { AgentsService } from './agents.service.js';

@Controller('agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @RequiresRole('viewer')
  async list(@CurrentCaller() caller: Caller): Promise<{ agents: AgentResponse[] }> {
    return { agents: await this.agents.list(caller.organizationId) };
  }

  @Delete(':id')
  @RequiresRole('admin')
  revoke(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AgentResponse> {
    return this.agents.revoke(caller.organizationId, id);
  }
}
