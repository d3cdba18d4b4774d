import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Authenticator } from '../../platform/http/pipeline/identify-caller.js';
import { ApiTokenEntity } from './api-token.entity.js';
import { TokenAuthenticator } from './authentication/token-authenticator.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';

/** API tokens: create, list, rotate and revoke them, and authenticate requests. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiTokenEntity])],
  controllers: [TokensController],
  providers: [TokensService, { provide: Authenticator, useClass: TokenAuthenticator }],
  exports: [Authenticator, TokensService],
})
export class TokensModule {}
