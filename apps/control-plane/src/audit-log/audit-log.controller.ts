import { Controller, Get, Query } from '@nestjs/common';

import type { Caller } from '../http/pipeline/caller.js';
import { CurrentCaller } from '../http/pipeline/current-caller.js';
import { AuditLogService } from './audit-log.service.js';
import { ListAuditEntriesQuery } from './list-audit-entries.query.js';

@Controller('audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditEntriesQuery) {
    return this.log.list(caller.organizationId, query);
  }
}
