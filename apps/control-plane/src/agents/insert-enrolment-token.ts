import { createHash, randomBytes } from 'node:crypto';

import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

export interface EnrolmentToken {
  /** Shown once. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Makes a token that enrols one agent of the organisation within an hour. Works without the server (the command line). */
export async function insertEnrolmentToken(
  manager: Pick<EntityManager, 'query'>,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<EnrolmentToken> {
  const token = `us_enrol_${randomBytes(32).toString('base64url')}`;
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await manager.query(
    `INSERT INTO enrolment_tokens (id, organization_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
    [`enr_${ulid()}`, organizationId, hashOfEnrolmentToken(token), now, expiresAt],
  );
  return { token, expiresAt };
}

/** 256 random bits need no slow hash. */
export function hashOfEnrolmentToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const LIFETIME_MS = 60 * 60_000;
