import type { DataSource } from 'typeorm';

import { insertOrganization, type NewOrganization, type OrganizationRequest } from './insert-organization.js';

export class AlreadyBootstrappedError extends Error {
  constructor(readonly orgId: string) {
    super(
      `an organisation exists already (${orgId}); bootstrap creates only the first one, so use "org create"`,
    );
    this.name = 'AlreadyBootstrappedError';
  }
}

/**
 * Creates the first organisation and its owner token.
 * @throws AlreadyBootstrappedError
 */
export async function bootstrap(
  dataSource: DataSource,
  organization: OrganizationRequest,
): Promise<NewOrganization> {
  return dataSource.transaction(async (manager) => {
    await manager.query('LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE');
    const [existing] = await manager.query<{ id: string }[]>('SELECT id FROM organizations LIMIT 1');
    if (existing) throw new AlreadyBootstrappedError(existing.id);
    return insertOrganization(manager, organization);
  });
}
