import { actorOf, type AuditEntry } from '../../audit-log/audit-entry.js';
import type { CallerRequest } from '../../http/pipeline/api-request.js';

/** What every entry about a snapshot says. */
export function changeOf(
  { id: requestId, caller }: CallerRequest,
  id: string,
  occurredAt: Date,
): Omit<AuditEntry, 'action'> {
  const target = { type: 'snapshot', id } as const;
  return { organizationId: caller.organizationId, occurredAt, actor: actorOf(caller), target, requestId };
}
