import type { EntityManager } from 'typeorm';

import type { AuditAction } from '../../platform/audit-log/audit-entry.js';
import { auditRequestForEach } from '../../platform/audit-log/insert-audit-entry.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';

interface MadeThing {
  readonly statement: string;
  readonly action: AuditAction;
}

/**
 * The statements of {@link revokeWhatMemberMade}, each with the action that the audit log records. $1 =
 * member id. The member's own tokens are deleted with the member's row.
 */
const MADE: readonly MadeThing[] = [
  {
    statement: `UPDATE api_tokens SET revoked_at = now()
      WHERE text_known_to_member_id = $1 AND revoked_at IS NULL RETURNING id`,
    action: 'token.revoked',
  },
  {
    statement: 'DELETE FROM members WHERE invited_by_member_id = $1 AND joined_at IS NULL RETURNING id',
    action: 'member.removed',
  },
  {
    statement: 'DELETE FROM enrolment_tokens WHERE made_by_member_id = $1 AND used_at IS NULL RETURNING id',
    action: 'enrolment_token.revoked',
  },
];

/**
 * Revokes the organisation's own tokens whose current text was shown to the member, the member's open
 * invitations, and the member's unused enrolment tokens. The caller must have locked the member's row, so
 * that no concurrent request of the member creates another token or invitation. The number of statements is fixed,
 * and limits bound what a member can make, so that a member cannot make the removal too slow. Members who have joined
 * and used enrolment tokens no longer refer to the member.
 */
export async function revokeWhatMemberMade(
  manager: EntityManager,
  request: CallerRequest,
  memberId: string,
  now: Date,
): Promise<void> {
  for (const { statement, action } of MADE) {
    const [rows] = await manager.query<[{ readonly id: string }[], number]>(statement, [memberId]);
    const targetIds = rows.map(({ id }) => id);
    const details = { made_by_member_id: memberId };
    await auditRequestForEach(manager, request, { now, action, targetIds, details });
  }
}
