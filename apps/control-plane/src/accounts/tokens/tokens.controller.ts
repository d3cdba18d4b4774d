import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';
import { TokensService } from './tokens.service.js';

@Controller('tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Post()
  create(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Body() body: CreateTokenDto) {
    return this.tokens.create(request, body);
  }

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: PageQuery) {
    return this.tokens.list(organizationId, query);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.tokens.get(organizationId, id);
  }

  @Post(':id/rotate')
  rotate(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Body() body: RotateTokenDto,
  ) {
    return this.tokens.rotate(request, id, body);
  }

  @Delete(':id')
  revoke(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.tokens.revoke(request, id);
  }
}
