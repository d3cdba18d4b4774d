import { Body, Controller, HttpCode, Post, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

import { NoQuery } from '../../platform/http/operations/handles.js';
import type { DashboardRoute } from '../../platform/http/pipeline/dashboard-route.js';
import { InvitationsService } from './invitations.service.js';
import { InvitationDto } from './members.dto.js';

const dashboard: DashboardRoute = { access: 'anyone' };

/** The call of the dashboard's page for invitations. It is no operation of the API. */
@UseInterceptors(NoQuery)
@Controller('dashboard/invitation')
export class ShownInvitationController {
  constructor(private readonly invitations: InvitationsService) {}

  /** The token is in the body, because logs contain the URLs of requests. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ dashboard })
  show(@Body() body: InvitationDto) {
    return this.invitations.show(body.token);
  }
}
