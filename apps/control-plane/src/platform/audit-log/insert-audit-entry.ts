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
  { targetId, email, ...entry }: AuditEntry,
): Promise<void> {
  await insertAuditEntries(manager, { ...entry, targetIds: [targetId] });
  if (email !== undefined) await manager.query(KEEP_SUBJECT, [targetId, entry.organizationId, email]);
}

/** Entries that differ only in their targets. */
interface AuditEntries extends Omit<AuditEntry, 'targetId' | 'email'> {
  readonly targetIds: readonly string[];
}

/** Writes an entry for each target, with one statement; see `insertAuditEntry`. */
async function insertAuditEntries(
  manager: Pick<EntityManager, 'query'>,
  { organizationId, now, actor, action, targetIds, requestId, details = {} }: AuditEntries,
): Promise<void> {
  await manager.query(INSERT_AUDIT_ENTRIES, [
    targetIds.map(() => `aud_${ulid()}`),
    targetIds,
    organizationId,
    now,
    actor.type,
    'id' in actor ? actor.id : null,
    actor.type === 'token' ? actor.memberId : null,
    action,
    action.slice(0, action.indexOf('.')),
    requestId,
    JSON.stringify(details),
  ]);
}

/** Writes an entry for a change that an API request makes; see `insertAuditEntry`. */
export function auditRequest(
  manager: Pick<EntityManager, 'query'>,
  request: CallerRequest,
  { now, ...entry }: Omit<AuditEntry, 'organizationId' | 'actor' | 'requestId'>,
): Promise<void> {
  return insertAuditEntry(manager, { ...requestedChange(request, now), ...entry });
}

/** Writes an entry for each target that an API request changes in the same way, with one statement. */
export function auditRequestForEach(
  manager: Pick<EntityManager, 'query'>,
  request: CallerRequest,
  { now, ...entry }: Omit<AuditEntries, 'organizationId' | 'actor' | 'requestId'>,
): Promise<void> {
  return insertAuditEntries(manager, { ...requestedChange(request, now), ...entry });
}

/** $1 = ids of the entries, $2 = ids of the targets. */
const INSERT_AUDIT_ENTRIES = `
  INSERT INTO audit_entries (id, organization_id, occurred_at, actor_type, actor_id, actor_member_id, action,
    target_type, target_id, request_id, details)
  SELECT entry.id, $3, $4, $5, $6, $7, $8, $9, entry.target_id, $10, $11
  FROM unnest($1::text[], $2::text[]) AS entry (id, target_id)`;

const KEEP_SUBJECT = `
  INSERT INTO audit_subjects (member_id, organization_id, email) VALUES ($1, $2, $3)
  ON CONFLICT (member_id) DO UPDATE SET email = EXCLUDED.email`;
