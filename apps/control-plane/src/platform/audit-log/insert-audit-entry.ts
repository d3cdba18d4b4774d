import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import type { CallerRequest } from '../http/pipeline/caller-request.js';
import { requestedChange, type AuditEntry } from './audit-entry.js';

/**
 * Writes an entry in the caller's transaction, so that the change and its entry commit together. Needs only a database
 * connection, so that the command line can use it.
 */
export async function insertAuditEntry(
  manager: Pick<EntityManager, 'query'>,
  { organizationId, now, actor, action, targetId, requestId, email, details = {} }: AuditEntry,
): Promise<void> {
  await manager.query(INSERT_AUDIT_ENTRY, [
    `aud_${ulid()}`,
    organizationId,
    now,
    actor.type,
    'id' in actor ? actor.id : null,
    actor.type === 'token' ? actor.memberId : null,
    action,
    action.slice(0, action.indexOf('.')),
    targetId,
    requestId,
    JSON.stringify(details),
  ]);
  if (email !== undefined) await manager.query(KEEP_SUBJECT, [targetId, organizationId, email]);
}

/** Writes an entry for a change that an API request makes; see `insertAuditEntry`. */
export function auditRequest(
  manager: Pick<EntityManager, 'query'>,
  request: CallerRequest,
  { now, ...entry }: Omit<AuditEntry, 'organizationId' | 'actor' | 'requestId'>,
): Promise<void> {
  return insertAuditEntry(manager, { ...requestedChange(request, now), ...entry });
}

const INSERT_AUDIT_ENTRY = `
  INSERT INTO audit_entries (id, organization_id, occurred_at, actor_type, actor_id, actor_member_id, action,
    target_type, target_id, request_id, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

const KEEP_SUBJECT = `
  INSERT INTO audit_subjects (member_id, organization_id, email) VALUES ($1, $2, $3)
  ON CONFLICT (member_id) DO UPDATE SET email = EXCLUDED.email`;
