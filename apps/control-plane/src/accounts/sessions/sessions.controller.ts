import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';

import { NoQuery } from '../../platform/http/operations/handles.js';
import { CurrentRequest, type CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import type { DashboardRoute } from '../../platform/http/pipeline/dashboard-route.js';
import { CreateSignInLinkDto, SignInDto } from './sessions.dto.js';
import { SessionsService } from './sessions.service.js';
import { SignInLinksService } from './sign-in/sign-in-links.service.js';
import { SignInService } from './sign-in/sign-in.service.js';

const Route = (dashboard: DashboardRoute) => RouteConfig({ dashboard });
const PASSIVE: DashboardRoute = { access: 'session', isPassive: true };

/** The calls of the dashboard's own page that are not operations of the API. */
@UseInterceptors(NoQuery)
@Controller('dashboard')
export class SessionsController {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly links: SignInLinksService,
  ) {}

  @Post('session')
  @Route({ access: 'sign_in' })
  signIn(@Body() body: SignInDto, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.signIns.signIn(body, reply);
  }

  @Get('session')
  @Route(PASSIVE)
  show(@CurrentRequest() request: CallerRequest) {
    return this.sessions.show(request);
  }

  @Post('session/extend')
  @HttpCode(200)
  @Route(PASSIVE)
  extend(@CurrentRequest() request: CallerRequest) {
    return this.sessions.extend(request);
  }

  @Delete('session')
  @Route(PASSIVE)
  end(@CurrentRequest() request: CallerRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.sessions.end(request, reply);
  }

  @Get('sessions')
  @Route({ access: 'session' })
  list(@CurrentRequest() request: CallerRequest) {
    return this.sessions.list(request);
  }

  @Delete('sessions/:id')
  @Route(PASSIVE)
  endOne(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.sessions.endOne(request, id, reply);
  }

  @Delete('sessions')
  @Route(PASSIVE)
  endAll(@CurrentRequest() request: CallerRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.sessions.endAll(request, reply);
  }

  @Post('sign-in-links')
  @Route({ access: 'session' })
  createLink(@CurrentRequest() request: CallerRequest, @Body() body: CreateSignInLinkDto) {
    return this.links.create(request, body);
  }
}
