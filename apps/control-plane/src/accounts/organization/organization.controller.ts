import { Body, Controller } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { ORGANIZATION } from './organization.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import { WhoamiService } from './whoami.service.js';
import { OrganizationService } from './organization.service.js';

@Controller()
export class OrganizationController {
  constructor(private readonly organization: OrganizationService) {}

  @Handles(ORGANIZATION.getOrganization)
  get(@CurrentRequest() { caller }: CallerRequest) {
    return this.organization.get(caller.organizationId);
  }

  @Handles(ORGANIZATION.changeOrganization)
  change(@CurrentRequest() request: CallerRequest, @Body() body: ChangeOrganizationDto) {
    return this.organization.change(request, body);
  }
}

@Controller()
export class WhoamiController {
  constructor(private readonly whoami: WhoamiService) {}

  @Handles(ORGANIZATION.whoami)
  get(@CurrentRequest() { caller }: CallerRequest) {
    return this.whoami.get(caller);
  }
}
