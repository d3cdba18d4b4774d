import { Module } from '@nestjs/common';

import { InvitationsService } from './invitations.service.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { ShownInvitationController } from './shown-invitation.controller.js';

/** The members of an organisation. */
@Module({
  controllers: [MembersController, ShownInvitationController],
  providers: [MembersService, InvitationsService],
  exports: [MembersService],
})
export class MembersModule {}
