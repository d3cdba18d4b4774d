import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import type { Plan } from '../../platform/config/plans.js';
import type { Caller, Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';
import { MembersService } from '../members/members.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { OrganizationEntity } from './organization.entity.js';

export interface CallerResponse {
  /** The role that counts for this request: the lower one of the token's role and the member's role. */
  readonly role: Role;
  /** Null means everything that the role permits. */
  readonly scopes: readonly Scope[] | null;
  readonly organization: { readonly id: string; readonly name: string; readonly plan: Plan };
  /** The member who owns the token or the session; null for a token of the organisation. */
  readonly member: { readonly id: string; readonly email: string } | null;
  /** The token of the request; null for a session of the dashboard. */
  readonly token: { readonly id: string; readonly name: string; readonly expires_at: string } | null;
}

/** Shows callers who they are and what they may do. */
@Injectable()
export class WhoamiService {
  constructor(
    @InjectRepository(OrganizationEntity) private readonly organizations: Repository<OrganizationEntity>,
    private readonly members: MembersService,
    private readonly tokens: TokensService,
  ) {}

  async get({ organizationId, memberId, tokenId, sessionId, role, scopes }: Caller): Promise<CallerResponse> {
    const { name, plan } = await this.organizations.findOneByOrFail({ id: organizationId });
    const member = memberId === null ? null : await this.members.get(organizationId, memberId);
    const token = sessionId === null ? await this.tokens.find(organizationId, tokenId) : null;
    return {
      role,
      scopes,
      organization: { id: organizationId, name, plan },
      member: member && { id: member.id, email: member.email },
      token: token && { id: token.id, name: token.name, expires_at: token.expires_at },
    };
  }
}
