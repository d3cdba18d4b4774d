import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { requestedChange } from '../../../platform/audit-log/audit-entry.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { ApiError, noSuch } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import { roleIncludes, type Caller, type Role } from '../../../platform/http/pipeline/caller.js';
import { scopesInclude, type Scope } from '../../../platform/http/pipeline/scope.js';
import { assertMayGive } from '../../tokens/authentication/may-give.js';
import { insertSignInLink } from './insert-sign-in-link.js';
import type { CreateSignInLinkDto } from '../sessions.dto.js';
import { LOCK_MAKER, LOCK_MEMBER } from './sign-in.sql.js';

export interface SignInLinkResponse {
  readonly url: string;
  readonly expires_at: string;
}

/** Lets an admin help a member who has no usable token any more. */
@Injectable()
export class SignInLinksService {
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    { http }: Configuration,
  ) {
    this.publicUrl = http.publicUrl;
  }

  /**
   * Creates a one-time link for a member. Only an admin may do this, and never for a member with more rights
   * than the admin.
   * @throws ApiError `forbidden`, `not_found`, `conflict` if the member still has a usable token, or `unauthorized` if
   * the caller was removed at the same time
   */
  create(
    request: CallerRequest,
    { member_id: memberId }: CreateSignInLinkDto,
    now = new Date(),
  ): Promise<SignInLinkResponse> {
    const { caller } = request;
    assertAdmin(caller);
    return this.dataSource.transaction(async (manager) => {
      if (caller.memberId !== null) {
        const [maker] = await manager.query<unknown[]>(LOCK_MAKER, [caller.memberId]);
        if (!maker) throw new ApiError('unauthorized', 'You are not a member of this organisation any more.');
      }
      const [member] = await manager.query<MemberRow[]>(LOCK_MEMBER, [caller.organizationId, memberId, now]);
      if (!member) throw noSuch('member who has accepted the invitation');
      assertMayGive(caller, member);
      if (member.hasUsableToken) throw hasToken();
      const { url, expiresAt } = await insertSignInLink(manager, {
        ...requestedChange(request, now),
        memberId,
        publicUrl: this.publicUrl,
        madeByMemberId: caller.memberId,
      });
      return { url, expires_at: expiresAt.toISOString() };
    });
  }
}

interface MemberRow {
  readonly role: Role;
  readonly scopes: readonly Scope[] | null;
  readonly hasUsableToken: boolean;
}

function assertAdmin({ role, scopes }: Caller): void {
  if (!roleIncludes(role, 'admin'))
    throw new ApiError('forbidden', `This needs the role admin or a higher one; the session has ${role}.`);
  if (!scopesInclude(scopes, 'org:write'))
    throw new ApiError('forbidden', 'The session is restricted to scopes and lacks org:write.');
}

function hasToken(): ApiError {
  return new ApiError(
    'conflict',
    'This member has an API token that has not expired. Ask the member to sign in with it.',
  );
}
