import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import type { CallerRequest } from '../../http/pipeline/api-request.js';
import type { Caller } from '../../http/pipeline/caller.js';
import { CurrentCaller } from '../../http/pipeline/current-caller.js';
import { CurrentRequest } from '../../http/pipeline/current-request.js';
import { NoBody } from '../../http/dto/no-body.dto.js';
import { NoQuery } from '../../http/dto/no-query.dto.js';
import { PageQuery } from '../../http/dto/page.dto.js';
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
