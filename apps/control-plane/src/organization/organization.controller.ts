import { Body, Controller, Get, Patch, Query } from '@nestjs/common';

import type { CallerRequest } from '../http/pipeline/api-request.js';
import type { Caller } from '../http/pipeline/caller.js';
import { CurrentCaller } from '../http/pipeline/current-caller.js';
import { CurrentRequest } from '../http/pipeline/current-request.js';
import { NoQuery } from '../http/dto/no-query.dto.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import { OrganizationService, type OrganizationResponse } from './organization.service.js';

@Controller('org')
export class OrganizationController {
  constructor(private readonly organization: OrganizationService) {}

  @Get()
  get(@Query() _: NoQuery, @CurrentCaller() { organizationId }: Caller): Promise<OrganizationResponse> {
    return this.organization.get(organizationId);
  }

  @Patch()
  change(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Body() body: ChangeOrganizationDto,
  ): Promise<OrganizationResponse> {
    return this.organization.change(request, body);
  }
}
