import { Body, Controller, Get, Patch, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import { WhoamiService } from './whoami.service.js';
import type { CallerResponse, OrganizationResponse } from './organization-response.js';
import { OrganizationService } from './organization.service.js';

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

@Controller('whoami')
export class WhoamiController {
  constructor(private readonly whoami: WhoamiService) {}

  @Get()
  get(@Query() _: NoQuery, @CurrentCaller() caller: Caller): Promise<CallerResponse> {
    return this.whoami.get(caller);
  }
}
