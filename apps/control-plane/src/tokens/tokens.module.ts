import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Authenticator } from '../http/authenticator.js';
import { ApiTokenEntity } from './api-token.entity.js';
import { TokenAuthenticator } from './token-authenticator.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiTokenEntity])],
  providers: [{ provide: Authenticator, useClass: TokenAuthenticator }],
  exports: [Authenticator],
})
export class TokensModule {}
