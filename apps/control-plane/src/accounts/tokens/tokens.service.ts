import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';

import { requestedChange } from '../../platform/audit-log/audit-entry.js';
import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { ApiError, noSuch } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { roleIncludes } from '../../platform/http/pipeline/caller.js';
import type { Deleted } from '../../platform/http/operations/schemas.js';
import type { Paged, PageQuery } from '../../platform/http/dto/page.dto.js';
import { findPage } from '../../platform/persistence/find-page.js';
import { lockOrganization } from '../../platform/persistence/statements.js';
import { hashOfSecret } from '../../platform/random-secrets.js';
import { ApiTokenEntity } from './api-token.entity.js';
import { insertToken, expiryOf } from './insert-token.js';
import { assertMayGive, assertNotAbove } from './authentication/may-give.js';
import { newToken, hintOf } from './authentication/token-text.js';
import {
  toTokenResponse,
  type NewTokenResponse,
  type RotatedTokenResponse,
  type TokenResponse,
} from './token-response.js';
import { assertTokenNameIsFree } from './token-names.js';
import type { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';

/** The API tokens of an organisation. A revoked token is not listed any more, but stays in the audit log. */
@Injectable()
export class TokensService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Creates a token. If the caller uses a member's token, the new token belongs to that member and ends with
   * the membership.
   */
  async create(request: CallerRequest, dto: CreateTokenDto, now = new Date()): Promise<NewTokenResponse> {
    const given = { name: dto.name, role: dto.role, scopes: dto.scopes ?? null };
    assertMayGive(request.caller, given);
    return this.dataSource.transaction(async (manager) => {
      const { id, token } = await insertToken(manager, {
        ...given,
        ...requestedChange(request, now),
        memberId: request.caller.memberId,
        ...(dto.expires_in_days === undefined ? {} : { expiresInDays: dto.expires_in_days }),
      });
      const made = await manager.findOneByOrFail(ApiTokenEntity, { id });
      return { ...toTokenResponse(made), token };
    });
  }

  /** Returns a page of the tokens, newest first. Expired tokens are included. */
  async list(organizationId: string, query: PageQuery): Promise<Paged<'tokens', TokenResponse>> {
    const { rows, ...page } = await findPage(this.dataSource.manager, ApiTokenEntity, query, {
      where: { organizationId, revokedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { tokens: rows.map(toTokenResponse), ...page };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<TokenResponse> {
    const token = await this.find(organizationId, id);
    if (!token) throw noSuch('token');
    return token;
  }

  /** Returns null without an id, and for a token that does not exist or is revoked. */
  async find(organizationId: string, id: string | null): Promise<TokenResponse | null> {
    if (id === null) return null;
    const where = { id, organizationId, revokedAt: IsNull() };
    const token = await this.dataSource.manager.findOneBy(ApiTokenEntity, where);
    return token && toTokenResponse(token);
  }

  /**
   * Rotates a token: its text stops working, but its id, role and scopes stay. The caller receives a new text
   * for their own token or a token of the organisation. The token of another member gets no new text and
   * cannot be used until that member rotates it.
   * @throws ApiError if the token has expired: `conflict` if another active token has its name, `limit_exceeded` if
   *   the organisation has the maximum number of active tokens
   */
  async rotate(
    request: CallerRequest,
    id: string,
    dto: RotateTokenDto,
    now = new Date(),
  ): Promise<RotatedTokenResponse> {
    const { caller } = request;
    return this.dataSource.transaction(async (manager) => {
      // The removal of a member locks the organisation before the member's tokens, too.
      await lockOrganization(manager, caller.organizationId);
      const token = await this.lock(manager, request, id);
      const isOwn = token.memberId !== null && token.memberId === caller.memberId;
      if (!isOwn && !roleIncludes(caller.role, 'admin')) throw notOwnToken();
      if (!isOwn && token.memberId !== null) return this.endText(manager, request, token, now);
      assertMayGive(caller, token);
      // Another token can have received the name since this one expired.
      if (token.expiresAt <= now) await assertTokenNameIsFree(manager, { ...token, now });
      const text = newToken();
      Object.assign(token, {
        tokenHint: hintOf(text),
        expiresAt: expiryOf(now, dto.expires_in_days),
        needsRotation: false,
      });
      const { tokenHint, expiresAt, needsRotation } = token;
      const textKnownToMemberId = isOwn ? null : caller.memberId;
      const changed = {
        tokenHash: hashOfSecret(text),
        tokenHint,
        expiresAt,
        needsRotation,
        textKnownToMemberId,
      };
      await manager.update(ApiTokenEntity, { id }, changed);
      await manager.query(KEEP_SESSION, [caller.sessionId, id, changed.tokenHash]);
      await recordRotation(manager, request, token, now);
      return { ...toTokenResponse(token), token: text };
    });
  }

  private async endText(
    manager: EntityManager,
    request: CallerRequest,
    token: ApiTokenEntity,
    now: Date,
  ): Promise<RotatedTokenResponse> {
    assertNotAbove(request.caller, token.role);
    token.needsRotation = true;
    // No text has this random hash, so the token cannot be used.
    await manager.update(
      ApiTokenEntity,
      { id: token.id },
      { tokenHash: randomBytes(32), needsRotation: true },
    );
    await recordRotation(manager, request, token, now);
    return toTokenResponse(token);
  }

  /** Revokes a token. The next request with this token is refused. */
  async revoke(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    return this.dataSource.transaction(async (manager) => {
      const token = await this.lock(manager, request, id);
      assertNotAbove(request.caller, token.role);
      await manager.update(ApiTokenEntity, { id }, { revokedAt: now });
      const details = { name: token.name, role: token.role };
      await auditRequest(manager, request, { now, action: 'token.revoked', targetId: id, details });
      return { deleted: true, id };
    });
  }

  private async lock(manager: EntityManager, { caller }: CallerRequest, id: string): Promise<ApiTokenEntity> {
    const token = await manager.findOne(ApiTokenEntity, {
      where: { id, organizationId: caller.organizationId, revokedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!token) throw noSuch('token');
    return token;
  }
}

/**
 * Keeps the session of the dashboard that rotates the token with which it was opened. The rotation ends all
 * other sessions of the token. $1 = session id or null, $2 = token id, $3 = the new hash.
 */
const KEEP_SESSION = 'UPDATE dashboard_sessions SET token_hash = $3 WHERE id = $1 AND token_id = $2';

function recordRotation(
  manager: EntityManager,
  request: CallerRequest,
  { id, name, role, needsRotation }: ApiTokenEntity,
  now: Date,
): Promise<void> {
  const details = { name, role, needs_rotation: needsRotation };
  return auditRequest(manager, request, { now, action: 'token.rotated', targetId: id, details });
}

function notOwnToken(): ApiError {
  return new ApiError('forbidden', 'Rotating a token that does not belong to you needs the role admin.');
}
