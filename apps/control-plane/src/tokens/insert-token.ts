import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import type { Role } from '../http/caller.js';
import { INSERT_TOKEN } from './insert-token.sql.js';
import { hashToken, newToken } from './new-token.js';
import { hintOf } from './token-text.js';

export const DEFAULT_EXPIRY_DAYS = 90;

export interface TokenRequest {
  readonly organizationId: string;
  readonly name: string;
  readonly role: Role;
  readonly now: Date;
  readonly expiresInDays?: number;
}

/** Makes a token inside the caller's transaction. @returns its text, which nothing keeps */
export async function insertToken(
  manager: EntityManager,
  { organizationId, name, role, now, expiresInDays = DEFAULT_EXPIRY_DAYS }: TokenRequest,
): Promise<{ id: string; token: string }> {
  const id = `tok_${ulid()}`;
  const token = newToken();
  const expiresAt = new Date(now.getTime() + expiresInDays * 86_400_000);
  await manager.query(INSERT_TOKEN, [
    id,
    organizationId,
    name,
    role,
    hashToken(token),
    hintOf(token),
    now,
    expiresAt,
  ]);
  return { id, token };
}
