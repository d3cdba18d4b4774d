import { Module } from '@nestjs/common';

import { Authenticator } from '../../platform/http/pipeline/identify-caller.js';
import { TokenAuthenticator } from './authentication/token-authenticator.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';

/** API tokens: create, list, rotate and revoke them, and authenticate requests. */
@Module({
  controllers: [TokensController],
  providers: [TokensService, { provide: Authenticator, useClass: TokenAuthenticator }],
  exports: [Authenticator, TokensService],
})
export class TokensModule {}
