import { Module } from '@nestjs/common';

import { MembersModule } from '../members/members.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { OrganizationController, WhoamiController } from './organization.controller.js';
import { OrganizationService } from './organization.service.js';
import { WhoamiService } from './whoami.service.js';

/** The organisation of a token, with its plan and usage, and the caller itself. */
@Module({
  imports: [MembersModule, TokensModule, UsageModule, WebhooksModule],
  controllers: [OrganizationController, WhoamiController],
  providers: [OrganizationService, WhoamiService],
})
export class OrganizationModule {}
