import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { Caller } from '../../platform/http/pipeline/caller.js';
import { MembersService } from '../members/members.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { OrganizationEntity } from './organization.entity.js';
import type { CallerResponse } from './organization-response.js';

/** Shows callers who they are and what they may do. */
@Injectable()
export class WhoamiService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MembersService,
    private readonly tokens: TokensService,
  ) {}

  async get({ organizationId, memberId, tokenId, sessionId, role, scopes }: Caller): Promise<CallerResponse> {
    const where = { id: organizationId };
    const { name, plan } = await this.dataSource.manager.findOneByOrFail(OrganizationEntity, where);
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
