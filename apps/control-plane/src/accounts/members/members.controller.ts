import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';

import {
  type ApiRequest,
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
  PublicRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { InvitationsService } from './invitations.service.js';
import { AcceptInvitationDto, ChangeMemberDto, InviteMemberDto } from './members.dto.js';
import { MembersService } from './members.service.js';

@Controller('org/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: PageQuery) {
    return this.members.list(organizationId, query);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.members.get(organizationId, id);
  }

  @Post()
  invite(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Body() body: InviteMemberDto) {
    return this.members.invite(request, body);
  }

  @Post('accept')
  accept(@PublicRequest() request: ApiRequest, @Query() _: NoQuery, @Body() body: AcceptInvitationDto) {
    return this.invitations.accept(request, body);
  }

  @Patch(':id')
  changeRole(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Body() body: ChangeMemberDto,
  ) {
    return this.members.changeRole(request, id, body);
  }

  @Delete(':id')
  remove(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.members.remove(request, id);
  }
}
