import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { InvitationsService } from './invitations.service.js';
import { MemberEntity } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { ShownInvitationController } from './shown-invitation.controller.js';

/** The members of an organisation. */
@Module({
  imports: [TypeOrmModule.forFeature([MemberEntity])],
  controllers: [MembersController, ShownInvitationController],
  providers: [MembersService, InvitationsService],
  exports: [MembersService],
})
export class MembersModule {}
