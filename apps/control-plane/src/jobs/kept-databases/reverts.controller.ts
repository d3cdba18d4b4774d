import { Controller, Param } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { DropResult, RevertResult } from '@understudy/agent-protocol';

import { senderOf } from '../../agents/agent-link/receiving/message-context.js';
import { Handles } from '../../platform/http/operations/handles.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { KeptDatabasesService } from './kept-databases.service.js';
import { REVERTS } from './reverts.operations.js';
import { RevertsService } from './reverts.service.js';

@Controller()
export class RevertsController {
  constructor(private readonly reverts: RevertsService) {}

  @Handles(REVERTS.revertSyncJob)
  create(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.reverts.create(request, id);
  }

  @Handles(REVERTS.getSyncJobRevert)
  get(
    @CurrentRequest() { caller }: CallerRequest,
    @Param('id') id: string,
    @Param('revert_id') revertId: string,
  ) {
    return this.reverts.get(caller.organizationId, id, revertId);
  }
}

/** Receives the messages of agents about kept databases. */
@Controller()
export class KeptDatabaseMessages {
  constructor(
    private readonly kept: KeptDatabasesService,
    private readonly reverts: RevertsService,
  ) {}

  @EventPattern('kept_database_dropped')
  async onDropped(@Payload() result: DropResult, @Ctx() context: unknown): Promise<void> {
    await this.kept.dropped(result, senderOf(context));
  }

  @EventPattern('replacement_reverted')
  async onReverted(@Payload() result: RevertResult, @Ctx() context: unknown): Promise<void> {
    await this.reverts.ended(result, senderOf(context));
  }
}
