import { Body, Controller, Get, Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { IsString, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { NoQuery } from '../../platform/http/operations/handles.js';
import { expected } from '../../platform/http/dto/field-validators.js';
import type { DashboardRoute } from '../../platform/http/pipeline/dashboard-route.js';
import { BrowserSignIn } from './browser-sign-in.js';
import { OidcSignInService } from './oidc-sign-in.service.js';

const ORGANIZATION_ID = 'the id of an organisation';
const Route = (access: DashboardRoute['access']) => RouteConfig({ dashboard: { access } });

export class ChooseOrganizationDto {
  @IsString(expected(ORGANIZATION_ID))
  @Matches(/^org_[0-9A-HJKMNP-TV-Z]{26}$/, expected(ORGANIZATION_ID))
  organization_id: string;
}

/** Sign-in through OpenID Connect. The browser navigates to the last two routes; the page calls the others. */
@Controller('dashboard/oidc')
export class OidcSignInController {
  constructor(
    private readonly browser: BrowserSignIn,
    private readonly signIns: OidcSignInService,
  ) {}

  @Get('providers')
  @Route('anyone')
  providers() {
    return { providers: this.signIns.offered() };
  }

  @Get('organizations')
  @Route('anyone')
  @UseInterceptors(NoQuery)
  choices(@Req() request: FastifyRequest) {
    return this.browser.choices(request);
  }

  @Post('organization')
  @Route('sign_in')
  @UseInterceptors(NoQuery)
  choose(@Body() body: ChooseOrganizationDto, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.browser.choose(body.organization_id, reply);
  }

  @Get(':provider')
  @Route('anyone')
  @UseInterceptors(NoQuery)
  start(@Param('provider') id: string, @Res() reply: FastifyReply) {
    return this.browser.start(id, reply);
  }

  @Get(':provider/callback')
  @Route('anyone')
  finish(@Param('provider') id: string, @Res() reply: FastifyReply) {
    return this.browser.finish(id, reply);
  }
}
