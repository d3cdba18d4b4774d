import type { EntityManager } from 'typeorm';

import { COMMAND_LINE } from '../../../platform/audit-log/audit-entry.js';
import { emailKeys, isSameMailbox } from '../../members/email-address.js';
import { insertSignInLink } from './insert-sign-in-link.js';
import { FIND_MEMBERS } from './sign-in.sql.js';

export interface OperatorsLinkRequest {
  /** The id or the e-mail address of the member. */
  readonly member: string;
  /** Needed if several organisations have a member with this address. */
  readonly organizationId: string | null;
  readonly publicUrl: string;
  readonly now: Date;
}

/**
 * Creates a sign-in link for the operator's command line, which may create one for any member.
 * @throws Error unless exactly one member matches
 */
export async function createSignInLink(
  manager: Pick<EntityManager, 'query'>,
  { member, organizationId, publicUrl, now }: OperatorsLinkRequest,
): Promise<{ memberId: string; url: string; expiresAt: Date }> {
  const keys = member.startsWith('mem_') ? [member] : emailKeys(member);
  const candidates = await manager.query<{ id: string; email: string; organizationId: string }[]>(
    FIND_MEMBERS,
    [keys, organizationId],
  );
  const all = candidates.filter(({ id, email }) => id === member || isSameMailbox(email, member));
  const [found] = all;
  if (!found) throw new Error('expected a member who has accepted the invitation; check --member and --org');
  if (new Set(all.map((each) => each.organizationId)).size > 1)
    throw new Error('expected one member, but several organisations have this address; add --org <id>');
  if (all.length > 1) {
    const ids = all.map(({ id }) => id).sort();
    throw new Error(`expected one member, but several have this address; use --member ${ids.join(' or ')}`);
  }
  const link = await insertSignInLink(manager, {
    ...{ organizationId: found.organizationId, memberId: found.id, publicUrl, now },
    ...{ actor: COMMAND_LINE, requestId: null },
  });
  return { memberId: found.id, ...link };
}
