import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { MEMBERS } from './members.operations.js';
import {
  type ApiRequest,
  type CallerRequest,
  CurrentRequest,
  PublicRequest,
} from '../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { InvitationsService } from './invitations.service.js';
import { AcceptInvitationDto, ChangeMemberDto, InviteMemberDto } from './members.dto.js';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  @Handles(MEMBERS.listMembers)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: PageQuery) {
    return this.members.list(caller.organizationId, query);
  }

  @Handles(MEMBERS.getMember)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.members.get(caller.organizationId, id);
  }

  @Handles(MEMBERS.inviteMember)
  invite(@CurrentRequest() request: CallerRequest, @Body() body: InviteMemberDto) {
    return this.members.invite(request, body);
  }

  @Handles(MEMBERS.acceptInvitation)
  accept(@PublicRequest() request: ApiRequest, @Body() body: AcceptInvitationDto) {
    return this.invitations.accept(request, body);
  }

  @Handles(MEMBERS.changeMember)
  changeRole(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Body() body: ChangeMemberDto,
  ) {
    return this.members.changeRole(request, id, body);
  }

  @Handles(MEMBERS.removeMember)
  remove(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.members.remove(request, id);
  }
}
