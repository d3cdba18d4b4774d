import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';

import { insertAuditEntry } from '../../../platform/audit-log/insert-audit-entry.js';
import { ApiError, validationError } from '../../../platform/http/errors/api-error.js';
import { Authenticator } from '../../../platform/http/pipeline/identify-caller.js';
import { hashOfSecret } from '../../../platform/random-secrets.js';
import type { SessionResponse } from '../session.js';
import type { SignInDto } from '../sessions.dto.js';
import { SessionsService } from '../sessions.service.js';
import { FIND_LINK, FIND_REFUSED_TOKEN, LOCK_MEMBER_OF_LINK, USE_LINK } from './sign-in.sql.js';

/** Signs a browser in with an API token or a one-time link. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly authenticator: Authenticator,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Opens a session. A refused attempt is recorded in the audit log if its token or link is known.
   * @throws ApiError `unauthorized`, identical for every reason, or `validation_error` unless exactly one of
   * `token` and `link` is set
   */
  async signIn({ token, link }: SignInDto, reply: FastifyReply, now = new Date()): Promise<SessionResponse> {
    this.sessions.assertAllowed();
    if (token !== undefined && link === undefined) return this.byToken(token, reply, now);
    if (link !== undefined && token === undefined) return this.byLink(link, reply, now);
    throw validationError([{ field: 'body', message: 'expected exactly one of token and link' }]);
  }

  private async byToken(text: string, reply: FastifyReply, now: Date): Promise<SessionResponse> {
    const hash = hashOfSecret(text);
    const caller = await this.authenticator
      .authenticate(`Bearer ${text}`, async () => undefined)
      .catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
        await this.recordRefusedToken(hash, reply, now);
        throw refused();
      });
    const { organizationId, memberId, tokenId } = caller;
    if (tokenId === null) throw new Error('expected the caller of a token');
    const token = { id: tokenId, hash };
    return this.sessions.open({ organizationId, memberId, token, signedInBy: 'token' }, reply);
  }

  private async byLink(text: string, reply: FastifyReply, now: Date): Promise<SessionResponse> {
    const hash = hashOfSecret(text);
    try {
      return await this.sessions.open(async (manager) => {
        await manager.query(LOCK_MEMBER_OF_LINK, [hash]);
        const [[used]] = await manager.query<[LinkRow[], number]>(USE_LINK, [hash, now]);
        if (!used) throw refused();
        const { organizationId, memberId } = used;
        return { organizationId, memberId, token: null, signedInBy: 'link' };
      }, reply);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized')
        await this.recordRefusedLink(hash, reply, now);
      throw error;
    }
  }

  private async recordRefusedToken(hash: Buffer, { request }: FastifyReply, now: Date): Promise<void> {
    const [token] = await this.dataSource.query<TokenRow[]>(FIND_REFUSED_TOKEN, [hash]);
    if (!token) return;
    const { id, organizationId, memberId, isRevoked } = token;
    await insertAuditEntry(this.dataSource.manager, {
      ...{ organizationId, now, requestId: request.id, actor: { type: 'token', id, memberId } },
      action: 'token.sign_in_refused',
      targetId: id,
      details: { reason: isRevoked ? 'revoked' : 'expired' },
    });
  }

  private async recordRefusedLink(hash: Buffer, { request }: FastifyReply, now: Date): Promise<void> {
    const [link] = await this.dataSource.query<LinkRow[]>(FIND_LINK, [hash]);
    if (!link) return;
    const { id, organizationId, memberId, isUsed } = link;
    await insertAuditEntry(this.dataSource.manager, {
      ...{ organizationId, now, requestId: request.id, actor: { type: 'member', id: memberId } },
      action: 'sign_in_link.refused',
      targetId: id,
      details: { reason: isUsed ? 'used' : 'expired' },
    });
  }
}

interface TokenRow {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string | null;
  readonly isRevoked: boolean;
}

interface LinkRow {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string;
  readonly isUsed: boolean;
}

function refused(): ApiError {
  return new ApiError('unauthorized', 'This API token or sign-in link is not valid.');
}
