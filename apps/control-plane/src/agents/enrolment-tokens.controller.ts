import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import type { CallerRequest } from '../http/api-request.js';
import type { Caller } from '../http/caller.js';
import { CurrentCaller } from '../http/decorators/current-caller.js';
import { CurrentRequest } from '../http/decorators/current-request.js';
import { NoBody } from '../http/no-body.dto.js';
import { NoQuery } from '../http/no-query.dto.js';
import { PageQuery } from '../http/page.dto.js';
import { EnrolmentTokensService } from './enrolment-tokens.service.js';

@Controller('agents/enrolment-tokens')
export class EnrolmentTokensController {
  constructor(private readonly tokens: EnrolmentTokensService) {}

  @Post()
  create(@Query() _: NoQuery, @Body() __: NoBody, @CurrentRequest() request: CallerRequest) {
    return this.tokens.create(request);
  }

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: PageQuery) {
    return this.tokens.list(organizationId, query);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.tokens.get(organizationId, id);
  }

  @Delete(':id')
  revoke(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.tokens.revoke(request, id);
  }
}
