import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { ApiError } from '../http/api-error.js';
import { Authenticator } from '../http/authenticator.js';
import type { Caller } from '../http/caller.js';
import { ApiTokenEntity } from './api-token.entity.js';
import { isTokenUsable, isUseWorthNoting } from './is-token-usable.js';
import { hashToken } from './new-token.js';
import { isWellFormedToken } from './token-text.js';

/** Bearer tokens against their stored hashes; asked on every request, so that a revocation counts at once. */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  private readonly logger = new Logger(TokenAuthenticator.name);

  constructor(@InjectRepository(ApiTokenEntity) private readonly tokens: Repository<ApiTokenEntity>) {
    super();
  }

  async authenticate(header: string | undefined): Promise<Caller> {
    const [, text] = /^Bearer +([^ ]+) *$/i.exec(header ?? '') ?? [];
    if (text === undefined)
      throw unauthorized('This request needs the header "Authorization: Bearer <API token>".');
    const now = new Date();
    const token = isWellFormedToken(text)
      ? await this.tokens.findOneBy({ tokenHash: hashToken(text) })
      : null;
    if (!token || !isTokenUsable(token, now)) throw unauthorized('The API token is not valid.');
    if (isUseWorthNoting(token, now)) void this.noteUse(token.id, now);
    return { organizationId: token.organizationId, role: token.role, tokenId: token.id };
  }

  private async noteUse(id: string, now: Date): Promise<void> {
    try {
      await this.tokens.update({ id }, { lastUsedAt: now });
    } catch (error) {
      // The note is a courtesy to administrators: a request must not fail for it.
      this.logger.warn(
        `last use of a token was not noted: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    }
  }
}

function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message);
}
