import { Injectable } from '@nestjs/common';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';

import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Role } from '../../platform/http/pipeline/caller.js';
import type { ApiRequest } from '../../platform/http/pipeline/caller-request.js';
import { lockOrganization } from '../../platform/persistence/statements.js';
import { hashOfSecret } from '../../platform/random-secrets.js';
import { insertToken } from '../tokens/insert-token.js';
import { toMemberResponse, type JoinedMemberResponse } from './member-response.js';
import { MemberEntity } from './member.entity.js';
import type { AcceptInvitationDto } from './members.dto.js';

export const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** The offer of an invitation. */
export interface ShownInvitation {
  readonly organization: { readonly name: string };
  readonly email: string;
  readonly role: Role;
}

/**
 * Turns an invitation into membership. The invitation token is exchanged for an API token of the new member.
 */
@Injectable()
export class InvitationsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns what an invitation offers, to anyone who has its token. The invitation stays as it is.
   * @throws ApiError `unauthorized`, with the same message for every reason
   */
  async show(token: string, now = new Date()): Promise<ShownInvitation> {
    const { manager } = this.dataSource;
    const member = await manager.findOne(MemberEntity, validInvitation(hashOfSecret(token), now));
    if (!member) throw invalid();
    const { email, role, organizationId: id } = member;
    const [organization] = await manager.query<{ name: string }[]>(
      'SELECT name FROM organizations WHERE id = $1',
      [id],
    );
    if (!organization) throw invalid();
    return { organization, email, role };
  }

  /**
   * Accepts an invitation. If several requests use it concurrently, one succeeds.
   * @throws ApiError `unauthorized`, with the same message for every reason
   */
  accept(request: ApiRequest, dto: AcceptInvitationDto, now = new Date()): Promise<JoinedMemberResponse> {
    return this.dataSource.transaction(async (manager) => {
      const member = await spend(manager, dto, now);
      const { id, organizationId, role, scopes } = member;
      const joining = { organizationId, now, actor: { type: 'member', id }, requestId: request.id } as const;
      await insertAuditEntry(manager, {
        ...joining,
        action: 'member.joined',
        targetId: id,
        email: member.email,
        details: { role },
      });
      const first = { memberId: id, name: 'first token', isNumbered: true, role, scopes };
      const token = await insertToken(manager, { ...joining, ...first });
      return {
        ...toMemberResponse(member),
        organization_id: organizationId,
        api_token_id: token.id,
        api_token: token.token,
        api_token_expires_at: token.expiresAt.toISOString(),
      };
    });
  }
}

/** Finds the member whose invitation has the hash, has not expired and was not accepted. */
function validInvitation(invitationHash: Buffer, now: Date) {
  return { where: { invitationHash, invitationExpiresAt: MoreThan(now) } };
}

function invalid(): ApiError {
  return new ApiError('unauthorized', 'This invitation is not valid.');
}

async function spend(
  manager: EntityManager,
  { token, name }: AcceptInvitationDto,
  now: Date,
): Promise<MemberEntity> {
  const invitationHash = hashOfSecret(token);
  const invited = await manager.findOneBy(MemberEntity, { invitationHash });
  // The removal of a member locks the organisation first, too.
  if (invited) await lockOrganization(manager, invited.organizationId);
  // A concurrent request waits for this lock, and then finds no such invitation.
  const member = await manager.findOne(MemberEntity, {
    ...validInvitation(invitationHash, now),
    lock: { mode: 'pessimistic_write' },
  });
  if (!member) throw invalid();
  const joined = {
    joinedAt: now,
    invitationHash: null,
    invitationExpiresAt: null,
    invitedByMemberId: null,
    ...(name === undefined ? {} : { name }),
  };
  await manager.update(MemberEntity, { id: member.id }, joined);
  return Object.assign(member, joined);
}
