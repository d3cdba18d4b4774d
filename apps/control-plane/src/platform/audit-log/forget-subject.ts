import type { EntityManager } from 'typeorm';

import { COMMAND_LINE } from './audit-entry.js';
import { insertAuditEntry } from './insert-audit-entry.js';

const FORGET = `
  DELETE FROM audit_subjects AS subject
  WHERE subject.member_id = $1 AND NOT EXISTS (SELECT FROM members WHERE members.id = subject.member_id)
  RETURNING subject.organization_id AS "organizationId"`;

/**
 * Erases the address of a former member from the audit log. The entries and the member's id in them are not
 * deleted.
 * @returns false, without any change, if the log has no address of the member or the member still exists
 */
export async function forgetSubject(
  manager: Pick<EntityManager, 'query'>,
  memberId: string,
  now: Date,
): Promise<boolean> {
  const [[forgotten]] = await manager.query<[{ organizationId: string }[], number]>(FORGET, [memberId]);
  if (forgotten === undefined) return false;
  await insertAuditEntry(manager, {
    ...{ organizationId: forgotten.organizationId, now, actor: COMMAND_LINE, requestId: null },
    action: 'member.forgotten',
    targetId: memberId,
  });
  return true;
}
