import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Configuration } from '../../platform/config/configuration.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { SessionAuthenticator } from '../../platform/http/pipeline/identify-caller.js';
import { queryPrepared } from '../../platform/persistence/statements.js';
import { hashOfSecret } from '../../platform/random-secrets.js';
import { SeenTokens } from '../tokens/authentication/seen-tokens.js';
import { SessionCookie } from './session-cookie.js';
import { ACTIVITY_RESOLUTION_MS, idleEndOf, toCaller, type Session } from './session.js';
import { FIND_SESSION, RECORD_ACTIVITY } from './sessions.sql.js';

/**
 * Checks the cookies of sessions. Each call reads the session, its member and its token, so that a revocation
 * or a changed role takes effect at the next call. A cookie that an earlier query did not find is refused
 * without another query.
 */
@Injectable()
export class CookieAuthenticator extends SessionAuthenticator {
  private readonly cookie: SessionCookie;
  private readonly seen = new SeenTokens();

  constructor(
    private readonly dataSource: DataSource,
    { http }: Configuration,
  ) {
    super();
    this.cookie = new SessionCookie(http.publicUrl);
  }

  async authenticate(
    cookies: string | undefined,
    isActivity: boolean,
    beforeLookUp: () => Promise<void>,
  ): Promise<Caller> {
    const secret = this.cookie.read(cookies);
    const session = secret === undefined ? undefined : await this.find(hashOfSecret(secret), beforeLookUp);
    if (!session) throw new ApiError('unauthorized', 'You are not signed in, or your session has ended.');
    if (isActivity && session.now.getTime() - session.lastSeenAt.getTime() >= ACTIVITY_RESOLUTION_MS)
      await this.dataSource.query(RECORD_ACTIVITY, [session.id]);
    return toCaller(session);
  }

  private async find(sessionHash: Buffer, beforeLookUp: () => Promise<void>): Promise<Session | undefined> {
    const key = sessionHash.toString('base64');
    if (this.seen.wasMissing(key)) return undefined;
    if (!this.seen.wasUsable(key)) await beforeLookUp();
    const [session] = await queryPrepared<Session>(this.dataSource, FIND_SESSION, [sessionHash]);
    if (!session) this.seen.recordMissing(key);
    const isUsable = session !== undefined && session.now < idleEndOf(session);
    this.seen.recordUsable(key, isUsable);
    return isUsable ? session : undefined;
  }
}
