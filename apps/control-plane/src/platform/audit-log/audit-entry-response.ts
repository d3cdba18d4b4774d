import { Type } from 'typebox';

import { instant, named, nullable, nullableId, oneOf, type ResponseOf } from '../http/operations/schemas.js';
import { AUDIT_ACTIONS, AUDIT_TARGETS } from './audit-entry.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';

export const AuditEntryResponse = named('AuditEntry', {
  id: Type.String(),
  occurred_at: instant('Time of the change.'),
  action: oneOf(AUDIT_ACTIONS, 'The change that was made.'),
  actor: Type.Object({
    type: oneOf(
      ['token', 'member', 'agent', 'command_line', 'server'],
      'Type of the actor that made the change.',
    ),
    id: nullable(Type.String(), 'Id of the actor; null for the command line and the server.'),
    member_id: nullableId('mem', 'Member who owns the token; null for tokens of the organisation.'),
  }),
  target: Type.Object({
    type: oneOf(AUDIT_TARGETS, 'Type of the changed resource.'),
    id: Type.String(),
  }),
  request_id: nullable(Type.String(), 'Id of the request; null for the command line and the server.'),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Names, roles and ids, but never a secret.',
  }),
});
export type AuditEntryResponse = ResponseOf<typeof AuditEntryResponse>;

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
