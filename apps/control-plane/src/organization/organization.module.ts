import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { MembersModule } from '../members/members.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { OrganizationController } from './organization.controller.js';
import { OrganizationEntity } from './organization.entity.js';
import { OrganizationService } from './organization.service.js';

/** The organisation of a token, with its plan and usage. */
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationEntity]), MembersModule, UsageModule, WebhooksModule],
  controllers: [OrganizationController],
  providers: [OrganizationService],
})
export class OrganizationModule {}
