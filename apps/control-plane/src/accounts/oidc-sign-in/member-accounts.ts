import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { SERVER } from '../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../platform/config/configuration.js';
import type { OidcProviderSettings } from '../../platform/config/oidc-providers.js';
import type { ApiRequest } from '../../platform/http/pipeline/caller-request.js';
import { emailKeys, isSameMailbox } from '../members/email-address.js';
import type { ProviderAccount } from './oidc-provider.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { LINK_MEMBER, LOCK_MEMBER, MEMBERS_BY_ADDRESS, MEMBERS_OF_ACCOUNT } from './member-accounts.sql.js';

/** A member as which the user of an account can open a session. */
export interface AccountMember {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** False for an offered member: the user must first confirm that the account and the member belong together. */
  readonly isLinked: boolean;
}

/** A user whom a provider has authenticated. */
export interface SignedInUser {
  readonly subject: string;
  /** The members with the verified address of the user that were not linked to an account at the sign-in. */
  readonly offeredMemberIds: readonly string[];
}

/** A member with the address of an account. */
interface AddressedMember {
  readonly id: string;
  readonly email: string;
  readonly organizationId: string;
  readonly hasJoined: boolean;
  readonly isLinked: boolean;
}

interface Change {
  readonly request: ApiRequest;
  readonly now: Date;
}

/**
 * Links members to the accounts of providers. A verified address offers a member to the user, and the user's
 * confirmation links it once. The confirmation is needed, because anyone who has the invitation can accept it,
 * also the admin who made it. After that, only this account can sign in as the member: neither a changed address
 * nor another account with the same address makes a difference.
 */
@Injectable()
export class MemberAccounts {
  /** The issuers whose links count. A link to an issuer that is no longer configured does not prevent a new one. */
  private readonly issuers: readonly string[];

  constructor(
    private readonly dataSource: DataSource,
    { oidc }: Configuration,
  ) {
    this.issuers = oidc.providers.map(({ issuer }) => issuer);
  }

  /**
   * Finds the members of an account, at least one. Links none. If there are none, writes an audit entry for each
   * member with the address of the account.
   * @throws SignInRefusal `email_not_verified` or `not_a_member`
   */
  async signIn(
    provider: OidcProviderSettings,
    account: ProviderAccount,
    request: ApiRequest,
    now = new Date(),
  ): Promise<{ readonly user: SignedInUser; readonly members: readonly AccountMember[] }> {
    const { subject, isEmailVerified } = account;
    const addressed = await this.findAddressed(provider, account);
    const offered = isEmailVerified
      ? addressed.filter(({ hasJoined, isLinked }) => hasJoined && !isLinked)
      : [];
    const user = { subject, offeredMemberIds: offered.map(({ id }) => id) };
    const members = await this.find(provider, user);
    if (members.length > 0) return { user, members };
    await this.dataSource.transaction((manager) =>
      auditRefusals(manager, provider, account, addressed, { request, now }),
    );
    if (!isEmailVerified)
      throw new SignInRefusal('email_not_verified', 'the account has no verified address');
    throw new SignInRefusal('not_a_member', 'no member is or can be linked to the account');
  }

  /** Returns the members of a user: the linked ones, then those that are still offered, each by organisation name. */
  find(provider: OidcProviderSettings, user: SignedInUser): Promise<readonly AccountMember[]> {
    return this.findWith(this.dataSource.manager, provider, user);
  }

  /**
   * Links the account of a user to an offered member, after the user has confirmed it.
   * @returns false if the member was removed, or linked to another account, after it was offered
   */
  confirm(
    provider: OidcProviderSettings,
    user: SignedInUser,
    { id, organizationId }: AccountMember,
    { request, now = new Date() }: Pick<Change, 'request'> & Partial<Change>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_MEMBER, [id]);
      const values = [provider.issuer, user.subject, id, now, this.issuers];
      const [added] = await manager.query<unknown[]>(LINK_MEMBER, values);
      if (added)
        await insertAuditEntry(manager, {
          ...{ organizationId, now, actor: { type: 'member', id }, requestId: request.id },
          action: 'member.account_linked',
          targetId: id,
          details: { provider: provider.id },
        });
      const members = await this.findWith(manager, provider, user);
      return members.some((member) => member.id === id && member.isLinked);
    });
  }

  private findWith(
    manager: EntityManager,
    { issuer, organizations }: OidcProviderSettings,
    { subject, offeredMemberIds }: SignedInUser,
  ): Promise<readonly AccountMember[]> {
    const values = [issuer, subject, organizations ?? null, offeredMemberIds, this.issuers];
    return manager.query<AccountMember[]>(MEMBERS_OF_ACCOUNT, values);
  }

  private async findAddressed(
    { organizations }: OidcProviderSettings,
    { email }: ProviderAccount,
  ): Promise<readonly AddressedMember[]> {
    if (email === null) return [];
    const values = [emailKeys(email), organizations ?? null, this.issuers];
    const found = await this.dataSource.query<AddressedMember[]>(MEMBERS_BY_ADDRESS, values);
    return found.filter((member) => isSameMailbox(member.email, email));
  }
}

async function auditRefusals(
  manager: EntityManager,
  { id: provider }: OidcProviderSettings,
  { isEmailVerified }: ProviderAccount,
  addressed: readonly AddressedMember[],
  { request, now }: Change,
): Promise<void> {
  const reasonOf = ({ hasJoined }: AddressedMember): string => {
    if (!isEmailVerified) return 'email_not_verified';
    return hasJoined ? 'linked_to_another_account' : 'invitation_not_accepted';
  };
  for (const member of addressed)
    await insertAuditEntry(manager, {
      ...{ organizationId: member.organizationId, now, actor: SERVER, requestId: request.id },
      action: 'member.sign_in_refused',
      targetId: member.id,
      details: { provider, reason: reasonOf(member) },
    });
}
