import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { COMMAND_LINE, type AuditedChange } from '../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import type { Plan } from '../../platform/config/plans.js';
import { comparableText } from '../../platform/http/dto/comparable-text.js';
import { emailKey } from '../members/email-address.js';
import { insertToken } from '../tokens/insert-token.js';

export interface OrganizationRequest {
  readonly name: string;
  readonly plan: Plan;
  /** The address of the owner. If it is given, the owner is a member, and the token belongs to this member. */
  readonly email?: string | undefined;
  readonly now: Date;
}

export interface NewOrganization {
  readonly orgId: string;
  /** The owner, if the request has an address. */
  readonly memberId?: string;
  /** A token with the role owner. It is not stored and cannot be shown again. */
  readonly apiToken: string;
}

/**
 * Creates an organisation, its owner if an address is given, and the owner's token inside the caller's transaction.
 * The commands `bootstrap` and `org create` use it.
 * @throws Error if an organisation has this name, or one that readers confuse with it
 */
export async function insertOrganization(
  manager: EntityManager,
  { name, plan, email, now }: OrganizationRequest,
): Promise<NewOrganization> {
  await assertNameIsFree(manager, name);
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
  const memberId = email === undefined ? undefined : await insertOwner(manager, email, change);
  const owner = { name: 'owner', role: 'owner', memberId: memberId ?? null } as const;
  const { token } = await insertToken(manager, { ...change, ...owner });
  return { orgId, apiToken: token, ...(memberId !== undefined && { memberId }) };
}

async function assertNameIsFree(manager: EntityManager, name: string): Promise<void> {
  // Parallel commands wait. Requests of the API only lock rows, which this lock permits.
  await manager.query('LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE');
  const key = comparableText(name);
  const others = await manager.query<{ name: string }[]>('SELECT name FROM organizations');
  if (others.some((other) => comparableText(other.name) === key))
    throw new Error(
      'an organisation of this name, or of one that is easily confused with it, exists already; choose another name',
    );
}

/** Creates the first member, who needs no invitation. @returns the id */
async function insertOwner(manager: EntityManager, email: string, change: AuditedChange): Promise<string> {
  const id = `mem_${ulid()}`;
  await manager.query(INSERT_OWNER, [id, change.organizationId, email, emailKey(email), change.now]);
  const details = { role: 'owner' };
  await insertAuditEntry(manager, { ...change, action: 'member.joined', targetId: id, email, details });
  return id;
}

const INSERT_OWNER = `
  INSERT INTO members (id, organization_id, email, email_key, role, invited_at, joined_at)
  VALUES ($1, $2, $3, $4, 'owner', $5, $5)`;
