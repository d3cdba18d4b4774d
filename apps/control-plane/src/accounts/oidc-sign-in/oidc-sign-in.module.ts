import { Module } from '@nestjs/common';

import { RateLimitsModule } from '../../platform/http/rate-limits/rate-limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { BrowserSignIn } from './browser-sign-in.js';
import { MemberAccounts } from './member-accounts.js';
import { OidcSignInController } from './oidc-sign-in.controller.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { SignInStore } from './sign-in-store.js';

/** Sign-in to the dashboard through OpenID Connect. */
@Module({
  imports: [RateLimitsModule, SessionsModule],
  controllers: [OidcSignInController],
  providers: [BrowserSignIn, OidcSignInService, MemberAccounts, SignInStore],
})
export class OidcSignInModule {}
