import { Body, Controller } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { ORGANIZATION } from './organization.operations.js';
import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import { WhoamiService } from './whoami.service.js';
import type { CallerResponse, OrganizationResponse } from './organization-response.js';
import { OrganizationService } from './organization.service.js';

@Controller()
export class OrganizationController {
  constructor(private readonly organization: OrganizationService) {}

  @Handles(ORGANIZATION.getOrganization)
  get(@CurrentCaller() { organizationId }: Caller): Promise<OrganizationResponse> {
    return this.organization.get(organizationId);
  }

  @Handles(ORGANIZATION.changeOrganization)
  change(
    @CurrentRequest() request: CallerRequest,
    @Body() body: ChangeOrganizationDto,
  ): Promise<OrganizationResponse> {
    return this.organization.change(request, body);
  }
}

@Controller()
export class WhoamiController {
  constructor(private readonly whoami: WhoamiService) {}

  @Handles(ORGANIZATION.whoami)
  get(@CurrentCaller() caller: Caller): Promise<CallerResponse> {
    return this.whoami.get(caller);
  }
}
