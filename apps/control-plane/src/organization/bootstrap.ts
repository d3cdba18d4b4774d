import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { insertToken } from '../tokens/insert-token.js';
import type { Plan } from './organization.entity.js';

export interface Bootstrapped {
  readonly orgId: string;
  /** Shown here and never again. */
  readonly apiToken: string;
}

export class AlreadyBootstrappedError extends Error {
  constructor(readonly orgId: string) {
    super(`an organisation exists already (${orgId}); bootstrap makes the first one only`);
    this.name = 'AlreadyBootstrappedError';
  }
}

/** Makes the first organisation and its owner token. @throws AlreadyBootstrappedError */
export async function bootstrap(
  dataSource: DataSource,
  { name, plan, now }: { name: string; plan: Plan; now: Date },
): Promise<Bootstrapped> {
  return dataSource.transaction(async (manager) => {
    await manager.query('LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE');
    const [existing] = await manager.query<{ id: string }[]>('SELECT id FROM organizations LIMIT 1');
    if (existing) throw new AlreadyBootstrappedError(existing.id);
    const orgId = `org_${ulid()}`;
    await manager.query('INSERT INTO organizations (id, name, plan) VALUES ($1, $2, $3)', [
      orgId,
      name,
      plan,
    ]);
    const { token } = await insertToken(manager, {
      organizationId: orgId,
      name: 'bootstrap',
      role: 'owner',
      now,
    });
    return { orgId, apiToken: token };
  });
}
