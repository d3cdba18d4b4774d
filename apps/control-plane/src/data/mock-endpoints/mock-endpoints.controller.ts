import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { CreateMockEndpointDto } from './create-mock-endpoint.dto.js';
import { MockEndpointsService } from './mock-endpoints.service.js';

@Controller('mock/endpoints')
export class MockEndpointsController {
  constructor(private readonly endpoints: MockEndpointsService) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: PageQuery) {
    return this.endpoints.list(organizationId, query);
  }

  @Post()
  create(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Body() body: CreateMockEndpointDto) {
    return this.endpoints.create(request, body);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.endpoints.get(organizationId, id);
  }

  @Delete(':id')
  delete(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.endpoints.delete(request, id);
  }
}
