import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { MOCK_ENDPOINTS } from './mock-endpoints.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { CreateMockEndpointDto } from './create-mock-endpoint.dto.js';
import { MockEndpointsService } from './mock-endpoints.service.js';

@Controller()
export class MockEndpointsController {
  constructor(private readonly endpoints: MockEndpointsService) {}

  @Handles(MOCK_ENDPOINTS.listMockEndpoints)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: PageQuery) {
    return this.endpoints.list(caller.organizationId, query);
  }

  @Handles(MOCK_ENDPOINTS.createMockEndpoint)
  create(@CurrentRequest() request: CallerRequest, @Body() body: CreateMockEndpointDto) {
    return this.endpoints.create(request, body);
  }

  @Handles(MOCK_ENDPOINTS.getMockEndpoint)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.endpoints.get(caller.organizationId, id);
  }

  @Handles(MOCK_ENDPOINTS.deleteMockEndpoint)
  delete(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.endpoints.delete(request, id);
  }
}
