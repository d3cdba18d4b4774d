import { Injectable } from '@nestjs/common';
import { DataSource, Not, type EntityManager, IsNull } from 'typeorm';
import { ulid } from 'ulid';

import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { ApiError, noSuch } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { roleIncludes, type Role } from '../../platform/http/pipeline/caller.js';
import type { Deleted } from '../../platform/http/operations/schemas.js';
import type { Paged, PageQuery } from '../../platform/http/dto/page.dto.js';
import { lockOrganization, onUniqueViolation } from '../../platform/persistence/statements.js';
import { findPage } from '../../platform/persistence/find-page.js';
import { hashOfSecret, newSecret } from '../../platform/random-secrets.js';
import { assertMayGive, assertNotAbove } from '../tokens/authentication/may-give.js';
import { INVITATION_LIFETIME_MS } from './invitations.service.js';
import { toMemberResponse, type InvitedMemberResponse, type MemberResponse } from './member-response.js';
import { emailKey } from './email-address.js';
import { MemberEntity } from './member.entity.js';
import type { ChangeMemberDto, InviteMemberDto } from './members.dto.js';
import { revokeWhatMemberMade } from './revoke-what-member-made.js';

/** Maximum number of invited members of an organisation, including those whose invitation has expired. */
export const MAX_OPEN_INVITATIONS = 1_000;

/**
 * The members of an organisation. No caller can change roles above their own, and at least one owner remains.
 */
@Injectable()
export class MembersService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns a page of the members, newest first. */
  async list(organizationId: string, query: PageQuery): Promise<Paged<'members', MemberResponse>> {
    const { rows, ...page } = await findPage(this.dataSource.manager, MemberEntity, query, {
      where: { organizationId },
      order: { invitedAt: 'DESC', id: 'DESC' },
    });
    return { members: rows.map(toMemberResponse), ...page };
  }

  count(organizationId: string): Promise<number> {
    return this.dataSource.manager.countBy(MemberEntity, { organizationId });
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<MemberResponse> {
    const member = await this.dataSource.manager.findOneBy(MemberEntity, { id, organizationId });
    if (!member) throw noSuch('member');
    return toMemberResponse(member);
  }

  /**
   * Invites a member.
   * @throws ApiError `conflict` if a member already has this address, or one that readers confuse with it,
   *   `limit_exceeded` if the organisation has the maximum number of open invitations
   */
  async invite(
    request: CallerRequest,
    { email, role }: InviteMemberDto,
    now = new Date(),
  ): Promise<InvitedMemberResponse> {
    assertNotAbove(request.caller, role);
    const invitation = newSecret('us_invite_');
    const invitationExpiresAt = new Date(now.getTime() + INVITATION_LIFETIME_MS);
    return this.dataSource.transaction(async (manager) => {
      const member = manager.create(MemberEntity, {
        id: `mem_${ulid()}`,
        organizationId: request.caller.organizationId,
        email,
        emailKey: emailKey(email),
        name: null,
        role,
        scopes: request.caller.scopes,
        invitedByMemberId: request.caller.memberId,
        invitedAt: now,
        joinedAt: null,
        invitationHash: hashOfSecret(invitation),
        invitationExpiresAt,
      });
      await assertMayInvite(manager, member);
      await manager.insert(MemberEntity, member).catch(onUniqueViolation(alreadyMember));
      await auditRequest(manager, request, {
        now,
        action: 'member.invited',
        targetId: member.id,
        email,
        details: { role, scopes: member.scopes },
      });
      return {
        ...toMemberResponse(member),
        invitation_token: invitation,
        invitation_expires_at: invitationExpiresAt.toISOString(),
      };
    });
  }

  /** Changes the role of a member. From the member's next request, their tokens have at most this role. */
  async changeRole(
    request: CallerRequest,
    id: string,
    { role }: ChangeMemberDto,
    now = new Date(),
  ): Promise<MemberResponse> {
    assertNotAbove(request.caller, role);
    return this.dataSource.transaction(async (manager) => {
      const member = await this.lock(manager, request, id);
      const isRaised = !roleIncludes(member.role, role);
      if (isRaised) assertMayGive(request.caller, { role, scopes: member.scopes });
      if (role !== 'owner') await this.assertOwnerRemains(manager, member);
      const { email, role: before } = member;
      member.role = role;
      await manager.update(MemberEntity, { id }, { role });
      await auditRequest(manager, request, {
        now,
        action: 'member.role_changed',
        targetId: id,
        email,
        details: { from: before, to: role },
      });
      return toMemberResponse(member);
    });
  }

  /**
   * Removes a member and revokes the member's tokens. Also revokes the open invitations and unused enrolment
   * tokens that the member created, and the organisation's own tokens whose current text was shown to the
   * member.
   */
  async remove(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    return this.dataSource.transaction(async (manager) => {
      const member = await this.lock(manager, request, id);
      await this.assertOwnerRemains(manager, member);
      await revokeWhatMemberMade(manager, request, id, now);
      await manager.delete(MemberEntity, { id });
      const { email } = member;
      const details = { role: member.role };
      await auditRequest(manager, request, { now, action: 'member.removed', targetId: id, email, details });
      return { deleted: true, id };
    });
  }

  /**
   * Locks a member. All changes to the members of one organisation run one after another, so that two owners
   * cannot remove each other.
   */
  private async lock(manager: EntityManager, { caller }: CallerRequest, id: string): Promise<MemberEntity> {
    const { organizationId } = caller;
    await lockOrganization(manager, organizationId);
    // Each row that this member creates refers to the member's row, so the request that creates it waits for
    // the lock.
    const member = await manager.findOne(MemberEntity, {
      where: { id, organizationId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!member) throw noSuch('member');
    assertNotAbove(caller, member.role);
    return member;
  }

  /** @throws ApiError `conflict` if the member is the only owner who has accepted the invitation */
  private async assertOwnerRemains(manager: EntityManager, member: MemberEntity): Promise<void> {
    if (member.role !== 'owner' || member.joinedAt === null) return;
    const { id, organizationId } = member;
    const others = { id: Not(id), organizationId, role: 'owner' as Role, joinedAt: Not(IsNull()) };
    if (await manager.existsBy(MemberEntity, others)) return;
    throw new ApiError('conflict', 'This member is the last owner. Make another member an owner first.');
  }
}

/**
 * Locks the organisation. Compares with the addresses and not with the stored keys, because earlier versions
 * stored simpler keys.
 * @throws ApiError `conflict` or `limit_exceeded`
 */
async function assertMayInvite(
  manager: EntityManager,
  { organizationId, emailKey: key }: MemberEntity,
): Promise<void> {
  await lockOrganization(manager, organizationId);
  const others = await manager.query<{ email: string; isOpen: boolean }[]>(
    'SELECT email, joined_at IS NULL AS "isOpen" FROM members WHERE organization_id = $1',
    [organizationId],
  );
  if (others.some(({ email }) => emailKey(email) === key)) throw alreadyMember();
  if (others.filter(({ isOpen }) => isOpen).length >= MAX_OPEN_INVITATIONS)
    throw new ApiError(
      'limit_exceeded',
      `An organisation can have at most ${MAX_OPEN_INVITATIONS} open invitations. Remove an invited member first.`,
    );
}

function alreadyMember(): ApiError {
  return new ApiError(
    'conflict',
    'This address already belongs to a member or an invited member of the organisation.',
  );
}
