import { Module } from '@nestjs/common';

import { SessionAuthenticator } from '../../platform/http/pipeline/identify-caller.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { CookieAuthenticator } from './cookie-authenticator.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignInLinksService } from './sign-in/sign-in-links.service.js';
import { SignInService } from './sign-in/sign-in.service.js';

/** Sessions of the dashboard: sign in, authenticate the browser's calls, and sign out. */
@Module({
  imports: [TokensModule],
  controllers: [SessionsController],
  providers: [
    SessionsService,
    SignInService,
    SignInLinksService,
    { provide: SessionAuthenticator, useClass: CookieAuthenticator },
  ],
  exports: [SessionsService, SessionAuthenticator],
})
export class SessionsModule {}
