import type { AuditEntryEntity } from './audit-entry.entity.js';

export interface AuditEntryResponse {
  readonly id: string;
  readonly occurred_at: string;
  readonly action: string;
  /** `member_id` is the owner of the token; null for tokens of the organisation. */
  readonly actor: { readonly type: string; readonly id: string | null; readonly member_id: string | null };
  readonly target: { readonly type: string; readonly id: string };
  readonly request_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** @param email the member's address if the entry is about a member; undefined if the address was erased */
export function toAuditEntryResponse(entry: AuditEntryEntity, email?: string): AuditEntryResponse {
  return {
    id: entry.id,
    occurred_at: entry.occurredAt.toISOString(),
    action: entry.action,
    actor: { type: entry.actorType, id: entry.actorId, member_id: entry.actorMemberId },
    target: { type: entry.targetType, id: entry.targetId },
    request_id: entry.requestId,
    details: { ...(email === undefined ? {} : { email }), ...entry.details },
  };
}
