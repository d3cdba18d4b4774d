import { Controller, Get, Query } from '@nestjs/common';

import type { Caller } from '../http/caller.js';
import { CurrentCaller } from '../http/decorators/current-caller.js';
import { NoQuery } from '../http/no-query.dto.js';
import { OrganizationService, type OrganizationResponse } from './organization.service.js';

@Controller('org')
export class OrganizationController {
  constructor(private readonly organization: OrganizationService) {}

  @Get()
  get(@Query() _: NoQuery, @CurrentCaller() { organizationId }: Caller): Promise<OrganizationResponse> {
    return this.organization.get(organizationId);
  }
}
