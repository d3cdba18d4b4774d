import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { hashOfSecret, newSecret } from '../../platform/random-secrets.js';
import type { SignedInUser } from './member-accounts.js';
import type { SignInChecks } from './oidc-provider.js';

/** A user who chooses one of several organisations, or confirms one. */
export interface PendingChoice extends SignedInUser {
  readonly providerId: string;
}

/** Time within which a user must return from the provider, and then choose an organisation. */
export const SIGN_IN_SECONDS = 600;

/**
 * Stores sign-ins that have not ended. Each belongs to one browser, whose cookie has a secret of 256 random
 * bits, and works once. The table contains only the secret's hash.
 */
@Injectable()
export class SignInStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the secret for the browser's cookie. */
  async start(providerId: string, { state, nonce, codeVerifier }: SignInChecks): Promise<string> {
    const secret = newSecret();
    const values = [hashOfSecret(secret), providerId, state, nonce, codeVerifier, SIGN_IN_SECONDS];
    await this.dataSource.query(
      `INSERT INTO oidc_sign_ins (secret_hash, provider_id, state, nonce, code_verifier, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
      values,
    );
    return secret;
  }

  /**
   * Ends the sign-in of a browser. A response with another state does not end it, so that another site cannot
   * end it.
   * @returns undefined if the browser has no such sign-in, or it has expired
   */
  async finish(secret: string, providerId: string, state: string): Promise<SignInChecks | undefined> {
    const [rows] = await this.dataSource.query<[SignInChecks[], number]>(
      `DELETE FROM oidc_sign_ins
       WHERE secret_hash = $1 AND provider_id = $2 AND state = $3 AND expires_at > now()
       RETURNING state, nonce, code_verifier AS "codeVerifier"`,
      [hashOfSecret(secret), providerId, state],
    );
    return rows[0];
  }

  /** Returns a new secret for the browser's cookie. */
  async startChoice({ providerId, subject, offeredMemberIds }: PendingChoice): Promise<string> {
    const secret = newSecret();
    await this.dataSource.query(
      `INSERT INTO oidc_sign_ins (secret_hash, provider_id, subject, offered_member_ids, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [hashOfSecret(secret), providerId, subject, offeredMemberIds, SIGN_IN_SECONDS],
    );
    return secret;
  }

  async findChoice(secret: string): Promise<PendingChoice | undefined> {
    const [choice] = await this.dataSource.query<PendingChoice[]>(
      `SELECT provider_id AS "providerId", subject,
         coalesce(offered_member_ids, '{}') AS "offeredMemberIds" -- an earlier version of the server stores null
       FROM oidc_sign_ins
       WHERE secret_hash = $1 AND subject IS NOT NULL AND expires_at > now()`,
      [hashOfSecret(secret)],
    );
    return choice;
  }

  /** Ends the choice of a browser. @returns false if a concurrent request has ended it */
  async endChoice(secret: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      'DELETE FROM oidc_sign_ins WHERE secret_hash = $1 AND subject IS NOT NULL',
      [hashOfSecret(secret)],
    );
    return count === 1;
  }
}
