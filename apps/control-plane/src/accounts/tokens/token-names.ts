import type { EntityManager } from 'typeorm';

import { ApiError } from '../../platform/http/errors/api-error.js';
import { comparableText } from '../../platform/http/dto/comparable-text.js';
import { lockOrganization } from '../../platform/persistence/statements.js';
import { assertFewTokens } from './token-limit.js';

export const MAX_TOKEN_NAME = 100;

interface WantedName {
  readonly organizationId: string;
  readonly name: string;
  readonly now: Date;
}

/**
 * Refuses a name that an active token has, or that readers confuse with it. Locks the organisation, so that parallel
 * requests cannot use the same name.
 * @throws ApiError `conflict`, or `limit_exceeded` if the organisation can have no other active token
 */
export async function assertTokenNameIsFree(
  manager: Pick<EntityManager, 'query'>,
  wanted: WantedName,
): Promise<void> {
  const taken = await takenNames(manager, wanted);
  if (taken.has(comparableText(wanted.name)))
    throw new ApiError(
      'conflict',
      'Another active token has this name, or one that is easily confused with it.',
    );
}

/**
 * Returns the name itself, or the name with the first number from 2 on that makes it free. Locks the organisation.
 * @throws ApiError `limit_exceeded` if the organisation can have no other active token
 */
export async function freeTokenName(
  manager: Pick<EntityManager, 'query'>,
  wanted: WantedName,
): Promise<string> {
  const taken = await takenNames(manager, wanted);
  let name = wanted.name;
  for (let number = 2; taken.has(comparableText(name)); number += 1) name = `${wanted.name} ${number}`;
  return name;
}

/**
 * Compares in code and not in SQL, because a stored form depends on the version of Unicode. With 10,000 active
 * tokens, it costs about 10 ms.
 * @throws ApiError `limit_exceeded` if the organisation has the maximum number of active tokens
 */
async function takenNames(
  manager: Pick<EntityManager, 'query'>,
  { organizationId, now }: WantedName,
): Promise<ReadonlySet<string>> {
  await lockOrganization(manager, organizationId);
  const rows = await manager.query<{ name: string }[]>(ACTIVE_NAMES, [organizationId, now]);
  assertFewTokens(rows.length);
  return new Set(rows.map(({ name }) => comparableText(name)));
}

/** $1 = organisation id, $2 = now. */
const ACTIVE_NAMES = `
  SELECT name FROM api_tokens WHERE organization_id = $1 AND revoked_at IS NULL AND expires_at > $2`;
