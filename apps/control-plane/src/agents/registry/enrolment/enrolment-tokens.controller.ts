import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import { NoBody, NoQuery } from '../../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
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
