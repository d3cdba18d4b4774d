import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { COMMAND_LINE } from '../audit-log/audit-entry.js';
import { insertAuditEntry } from '../audit-log/insert-audit-entry.js';
import type { Plan } from '../config/plans.js';
import { insertToken } from '../tokens/insert-token.js';

export interface NewOrganization {
  readonly orgId: string;
  /** A token with the role owner. It is not stored and cannot be shown again. */
  readonly apiToken: string;
}

/**
 * Creates an organisation and its owner token inside the caller's transaction. The commands `bootstrap` and
 * `org create` use it.
 */
export async function insertOrganization(
  manager: EntityManager,
  { name, plan, now }: { name: string; plan: Plan; now: Date },
): Promise<NewOrganization> {
  const orgId = `org_${ulid()}`;
  await manager.query('INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)', [
    orgId,
    name,
    plan,
    now,
  ]);
  const change = { organizationId: orgId, now, actor: COMMAND_LINE, requestId: null };
  await insertAuditEntry(manager, {
    ...change,
    action: 'organization.created',
    targetId: orgId,
    details: { name, plan },
  });
  const { token } = await insertToken(manager, { ...change, name: 'owner', role: 'owner' });
  return { orgId, apiToken: token };
}
