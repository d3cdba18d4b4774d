import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, type EntityManager } from 'typeorm';

import { actorOf, type AuditAction } from '../audit-log/audit-entry.js';
import { insertAuditEntry } from '../audit-log/insert-audit-entry.js';
import { ApiError } from '../http/api-error.js';
import type { CallerRequest } from '../http/api-request.js';
import type { Deleted } from '../http/deleted.js';
import { pageOf, type Paged, type PageQuery } from '../http/page.dto.js';
import { ApiTokenEntity } from './api-token.entity.js';
import { insertToken } from './insert-token.js';
import { assertMayGive, assertNotAbove } from './may-give.js';
import { hashToken, newToken } from './new-token.js';
import { expiryOf } from './token-expiry.js';
import { toTokenResponse, type NewTokenResponse, type TokenResponse } from './token-response.js';
import { hintOf } from './token-text.js';
import type { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';

/** An organisation's API tokens. A revoked one is gone from here; the audit log remembers it. */
@Injectable()
export class TokensService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A token made with a member's token is that member's and ends with the membership. */
  async create(request: CallerRequest, dto: CreateTokenDto, now = new Date()): Promise<NewTokenResponse> {
    const { organizationId, memberId } = request.caller;
    const given = { name: dto.name, role: dto.role, scopes: dto.scopes ?? null };
    assertMayGive(request.caller, given);
    return this.dataSource.transaction(async (manager) => {
      const { id, token } = await insertToken(manager, {
        ...given,
        organizationId,
        memberId,
        now,
        actor: actorOf(request.caller),
        requestId: request.id,
        ...(dto.expires_in_days === undefined ? {} : { expiresInDays: dto.expires_in_days }),
      });
      const made = await manager.findOneByOrFail(ApiTokenEntity, { id });
      return { ...toTokenResponse(made), token };
    });
  }

  /** Newest first; expired ones too. */
  async list(organizationId: string, query: PageQuery): Promise<Paged<'tokens', TokenResponse>> {
    const { page, perPage } = pageOf(query);
    const [tokens, total] = await this.dataSource.manager.findAndCount(ApiTokenEntity, {
      where: { organizationId, revokedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * perPage,
      take: perPage,
    });
    return { tokens: tokens.map(toTokenResponse), total, page, per_page: perPage };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<TokenResponse> {
    const where = { id, organizationId, revokedAt: IsNull() };
    const token = await this.dataSource.manager.findOneBy(ApiTokenEntity, where);
    if (!token) throw noSuchToken();
    return toTokenResponse(token);
  }

  /** The text before ends with this; id, role and scopes stay. */
  async rotate(
    request: CallerRequest,
    id: string,
    dto: RotateTokenDto,
    now = new Date(),
  ): Promise<NewTokenResponse> {
    return this.dataSource.transaction(async (manager) => {
      const token = await this.lock(manager, request, id);
      assertMayGive(request.caller, token);
      const text = newToken();
      token.tokenHint = hintOf(text);
      token.expiresAt = expiryOf(now, dto.expires_in_days);
      const { tokenHint, expiresAt } = token;
      await manager.update(ApiTokenEntity, { id }, { tokenHash: hashToken(text), tokenHint, expiresAt });
      await this.record(manager, request, 'token.rotated', token, now);
      return { ...toTokenResponse(token), token: text };
    });
  }

  /** Counts from the next request on. */
  async revoke(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    return this.dataSource.transaction(async (manager) => {
      const token = await this.lock(manager, request, id);
      assertNotAbove(request.caller, token.role);
      await manager.update(ApiTokenEntity, { id }, { revokedAt: now });
      await this.record(manager, request, 'token.revoked', token, now);
      return { deleted: true, id };
    });
  }

  private async lock(manager: EntityManager, { caller }: CallerRequest, id: string): Promise<ApiTokenEntity> {
    const token = await manager.findOne(ApiTokenEntity, {
      where: { id, organizationId: caller.organizationId, revokedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!token) throw noSuchToken();
    return token;
  }

  private record(
    manager: EntityManager,
    { id: requestId, caller }: CallerRequest,
    action: AuditAction,
    { id, name, role }: ApiTokenEntity,
    now: Date,
  ): Promise<void> {
    return insertAuditEntry(manager, {
      organizationId: caller.organizationId,
      occurredAt: now,
      actor: actorOf(caller),
      action,
      target: { type: 'token', id },
      requestId,
      details: { name, role },
    });
  }
}

function noSuchToken(): ApiError {
  return new ApiError('not_found', 'There is no such token.');
}
