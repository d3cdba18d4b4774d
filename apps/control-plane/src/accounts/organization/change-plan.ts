import type { EntityManager } from 'typeorm';

import type { AuditedChange } from '../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import type { Plan } from '../../platform/config/plans.js';

export interface PlanChange extends AuditedChange {
  readonly plan: Plan;
}

/**
 * Changes an organisation's plan inside the caller's transaction. Requests after the commit have the new
 * limits. Existing resources are kept, even if they exceed the quotas of the new plan.
 * @returns the previous plan; undefined if there is no such organisation
 */
export async function changePlan(
  manager: Pick<EntityManager, 'query'>,
  { plan, ...change }: PlanChange,
): Promise<Plan | undefined> {
  const { organizationId } = change;
  const [organization] = await manager.query<{ plan: Plan }[]>(
    'SELECT plan FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
    [organizationId],
  );
  if (organization === undefined || organization.plan === plan) return organization?.plan;
  await manager.query('UPDATE organizations SET plan = $2 WHERE id = $1', [organizationId, plan]);
  await insertAuditEntry(manager, {
    ...change,
    action: 'organization.plan_changed',
    targetId: organizationId,
    details: { from: organization.plan, to: plan },
  });
  return organization.plan;
}
