import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

import { SERVER } from '../audit-log/audit-entry.js';
import { insertAuditEntry } from '../audit-log/insert-audit-entry.js';
import { Configuration } from '../config/configuration.js';
import type { OidcProviderSettings } from '../config/oidc-providers.js';
import type { ApiRequest } from '../http/pipeline/caller-request.js';
import { emailKeys, isSameMailbox } from '../members/email-address.js';
import type { ProviderAccount } from './oidc-provider.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { LINK_MEMBERS, LINKED_MEMBERS, LOCK_MEMBERS_BY_ADDRESS } from './member-accounts.sql.js';

/** A member that is linked to the account of a user. */
export interface LinkedMember {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
}

/** A member with the address of an account. */
interface AddressedMember {
  readonly id: string;
  readonly email: string;
  readonly organizationId: string;
  readonly hasJoined: boolean;
}

/**
 * Links members to the accounts of providers. A verified address links a member once. From then on, only this
 * account can sign in as the member: neither a changed address nor another account with the same address
 * makes a difference.
 */
@Injectable()
export class MemberAccounts {
  /** The issuers whose links count. A link to an issuer that is no longer configured does not prevent a new one. */
  private readonly issuers: readonly string[];

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    { oidc }: Configuration,
  ) {
    this.issuers = oidc.providers.map(({ issuer }) => issuer);
  }

  /**
   * Links the account to the members with its verified address, unless they are linked to an account. Writes
   * an audit entry for each new link, and, if no member is linked to the account, for each member with its
   * address.
   * @returns the members that are linked to the account, at least one
   * @throws SignInRefusal `email_not_verified` or `not_a_member`
   */
  async signIn(
    provider: OidcProviderSettings,
    account: ProviderAccount,
    request: ApiRequest,
    now = new Date(),
  ): Promise<readonly LinkedMember[]> {
    // The refusal is thrown outside of the transaction, so that its audit entries are committed.
    const linked = await this.dataSource.transaction(async (manager) => {
      const addressed = await lockMembers(manager, provider, account);
      if (account.isEmailVerified) await this.link(manager, provider, account, addressed, { request, now });
      const members = await findLinked(manager, provider, account.subject);
      if (members.length === 0) await auditRefusals(manager, provider, account, addressed, { request, now });
      return members;
    });
    if (linked.length > 0) return linked;
    if (!account.isEmailVerified)
      throw new SignInRefusal('email_not_verified', 'the account has no verified address');
    throw new SignInRefusal('not_a_member', 'no member is or can be linked to the account');
  }

  /** Returns the members that are linked to an account, in the order of the names of their organisations. */
  find(provider: OidcProviderSettings, subject: string): Promise<readonly LinkedMember[]> {
    return findLinked(this.dataSource.manager, provider, subject);
  }

  private async link(
    manager: EntityManager,
    { id: provider, issuer }: OidcProviderSettings,
    { subject }: ProviderAccount,
    addressed: readonly AddressedMember[],
    { request, now }: { readonly request: ApiRequest; readonly now: Date },
  ): Promise<void> {
    const ids = addressed.filter(({ hasJoined }) => hasJoined).map(({ id }) => id);
    if (ids.length === 0) return;
    const values = [issuer, subject, ids, now, this.issuers];
    const rows = await manager.query<{ member_id: string }[]>(LINK_MEMBERS, values);
    const isLinked = new Set(rows.map(({ member_id }) => member_id));
    for (const { id, organizationId } of addressed.filter((member) => isLinked.has(member.id)))
      await insertAuditEntry(manager, {
        ...{ organizationId, now, actor: { type: 'member', id }, requestId: request.id },
        action: 'member.account_linked',
        targetId: id,
        details: { provider },
      });
  }
}

/** Locks the members with the address of the account, so that concurrent sign-ins link each of them once. */
async function lockMembers(
  manager: EntityManager,
  { organizations }: OidcProviderSettings,
  { email }: ProviderAccount,
): Promise<readonly AddressedMember[]> {
  if (email === null) return [];
  const keys = emailKeys(email);
  const found = await manager.query<AddressedMember[]>(LOCK_MEMBERS_BY_ADDRESS, [
    keys,
    organizations ?? null,
  ]);
  return found.filter((member) => isSameMailbox(member.email, email));
}

function findLinked(
  manager: EntityManager,
  { issuer, organizations }: OidcProviderSettings,
  subject: string,
): Promise<readonly LinkedMember[]> {
  return manager.query<LinkedMember[]>(LINKED_MEMBERS, [issuer, subject, organizations ?? null]);
}

async function auditRefusals(
  manager: EntityManager,
  { id: provider }: OidcProviderSettings,
  { isEmailVerified }: ProviderAccount,
  addressed: readonly AddressedMember[],
  { request, now }: { readonly request: ApiRequest; readonly now: Date },
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
