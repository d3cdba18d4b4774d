import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { Plan } from '../../../platform/config/plans.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { Authenticator } from '../../../platform/http/pipeline/identify-caller.js';
import { lowerRole, type Caller, type Role } from '../../../platform/http/pipeline/caller.js';
import type { Scope } from '../../../platform/http/pipeline/scope.js';
import { queryPrepared } from '../../../platform/persistence/statements.js';
import { hashOfSecret } from '../../../platform/random-secrets.js';
import { monthOf } from '../../usage/billing-cycle.js';
import { FIND_TOKEN, RECORD_USE } from './find-token.sql.js';
import { isWellFormedToken } from './token-text.js';
import { SeenTokens } from './seen-tokens.js';

/**
 * Checks bearer tokens against their stored hashes. A successful result is never cached, so that a revocation
 * takes effect immediately. Concurrent requests with the same token share one query. A token that an earlier
 * query did not find is refused without another query.
 */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  private readonly logger = new Logger(TokenAuthenticator.name);
  private readonly finding = new Map<string, Promise<FoundToken | undefined>>();
  private readonly seen = new SeenTokens();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async authenticate(header: string | undefined, beforeLookUp: () => Promise<void>): Promise<Caller> {
    const [, text] = /^Bearer +([^ ]+) *$/i.exec(header ?? '') ?? [];
    if (text === undefined)
      throw unauthorized('This request needs the header "Authorization: Bearer <API token>".');
    const now = new Date();
    const token = isWellFormedToken(text)
      ? await this.find(hashOfSecret(text), now, beforeLookUp)
      : undefined;
    if (!token) throw unauthorized('The API token is not valid.');
    if (isUseWorthRecording(token, now)) void this.recordUse(token.id, now);
    return toCaller(token);
  }

  private find(
    tokenHash: Buffer,
    now: Date,
    beforeLookUp: () => Promise<void>,
  ): Promise<FoundToken | undefined> {
    const key = tokenHash.toString('base64');
    const finding =
      this.finding.get(key) ??
      this.lookUp(key, tokenHash, now, beforeLookUp).finally(() => this.finding.delete(key));
    this.finding.set(key, finding);
    return finding;
  }

  private async lookUp(
    key: string,
    tokenHash: Buffer,
    now: Date,
    beforeLookUp: () => Promise<void>,
  ): Promise<FoundToken | undefined> {
    if (this.seen.wasMissing(key)) return undefined;
    if (!this.seen.wasUsable(key)) await beforeLookUp();
    const token = await this.query(tokenHash, now);
    if (!token) this.seen.recordMissing(key);
    const isUsable = token !== undefined && isTokenUsable(token, now);
    this.seen.recordUsable(key, isUsable);
    return isUsable ? token : undefined;
  }

  private async query(tokenHash: Buffer, now: Date): Promise<FoundToken | undefined> {
    const [token] = await queryPrepared<FoundToken>(this.dataSource, FIND_TOKEN, [tokenHash, monthOf(now)]);
    return token;
  }

  private async recordUse(id: string, now: Date): Promise<void> {
    try {
      await this.dataSource.query(RECORD_USE, [id, now]);
    } catch (error) {
      // The time of last use is informative only, so a failed update must not fail the request.
      this.logger.warn(
        `the last use of a token was not recorded: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    }
  }
}

interface FoundToken extends TokenTimes {
  readonly id: string;
  readonly organizationId: string;
  readonly plan: Plan;
  readonly role: Role;
  readonly scopes: readonly Scope[] | null;
  readonly memberId: string | null;
  readonly memberRole: Role | null;
  readonly apiCallsUsed: number;
}

function toCaller({ role, memberRole, ...token }: FoundToken): Caller {
  const { organizationId, plan, scopes, memberId, apiCallsUsed } = token;
  return {
    organizationId,
    plan,
    role: memberRole === null ? role : lowerRole(role, memberRole),
    scopes,
    tokenId: token.id,
    sessionId: null,
    memberId,
    apiCallsUsed,
  };
}

function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message);
}

export interface TokenTimes {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Returns whether a token is valid: it is not revoked, and `now` is before `expiresAt`. */
export function isTokenUsable(token: TokenTimes, now: Date): boolean {
  return token.revokedAt === null && now < token.expiresAt;
}

export const LAST_USED_RESOLUTION_MS = 60_000;

/**
 * Returns whether the time of the last use should be stored. It is stored at most once per minute, so that
 * most requests write nothing.
 */
export function isUseWorthRecording(token: TokenTimes, now: Date): boolean {
  return token.lastUsedAt === null || now.getTime() - token.lastUsedAt.getTime() >= LAST_USED_RESOLUTION_MS;
}
