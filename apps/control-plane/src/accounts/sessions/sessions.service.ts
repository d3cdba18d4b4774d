import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource, type EntityManager } from 'typeorm';

import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../platform/config/configuration.js';
import { ApiError, noSuch } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { databaseNow } from '../../platform/persistence/database-values.js';
import { openSession, type SignIn } from './open-session.js';
import { SessionCookie } from './session-cookie.js';
import {
  IDLE_MS,
  toListedSession,
  toSessionResponse,
  type ListedSession,
  type Session,
  type SessionResponse,
} from './session.js';
import {
  END_ALL_SESSIONS,
  END_OWN_SESSION,
  END_SESSION,
  FIND_SESSION_BY_ID,
  LIST_SESSIONS,
  RECORD_ACTIVITY,
} from './sessions.sql.js';

/** The sessions of browsers that use the dashboard. */
@Injectable()
export class SessionsService {
  private readonly cookie: SessionCookie;

  constructor(
    private readonly dataSource: DataSource,
    { http }: Configuration,
  ) {
    this.cookie = new SessionCookie(http.publicUrl);
  }

  /**
   * Opens a session with a new id and sets its cookie. The session that the browser had before ends. The
   * caller must have verified the identity of the person.
   * @param verify runs first, in the same transaction. If it throws, no session is opened.
   * @throws ApiError `forbidden` if the cookie would cross a network in plaintext
   */
  async open(
    signIn: SignIn | ((manager: EntityManager) => Promise<SignIn>),
    reply: FastifyReply,
  ): Promise<SessionResponse> {
    this.assertAllowed();
    const { request } = reply;
    const { secret, opened } = await this.dataSource.transaction(async (manager) => {
      const verified = typeof signIn === 'function' ? await signIn(manager) : signIn;
      const replaced = this.cookie.read(request.headers.cookie);
      const { id, secret } = await openSession(manager, {
        ...verified,
        now: await databaseNow(manager),
        requestId: request.id,
        replaced,
      });
      return { secret, opened: await this.find(manager, id) };
    });
    void reply.header('set-cookie', this.cookie.set(secret));
    return opened;
  }

  /** @throws ApiError `unauthorized` if the session ended during the request */
  show({ caller }: CallerRequest): Promise<SessionResponse> {
    return this.find(this.dataSource.manager, idOf(caller));
  }

  /** Moves the end of the idle time to an hour from now, but never beyond the absolute end. */
  extend({ caller }: CallerRequest): Promise<SessionResponse> {
    const id = idOf(caller);
    return this.dataSource.transaction(async (manager) => {
      await manager.query(RECORD_ACTIVITY, [id]);
      return this.find(manager, id);
    });
  }

  /** Ends the session of the request and removes its cookie. */
  async end(request: CallerRequest, reply: FastifyReply, now = new Date()): Promise<{ ended: number }> {
    const id = idOf(request.caller);
    const details = { reason: 'signed_out' };
    await this.dataSource.transaction(async (manager) => {
      await manager.query(END_SESSION, [id]);
      await auditRequest(manager, request, { now, action: 'session.ended', targetId: id, details });
    });
    void reply.header('set-cookie', this.cookie.clear());
    return { ended: 1 };
  }

  /**
   * Returns the open sessions of the member, the newest 100 first. For a token of the organisation, returns the
   * sessions of this token.
   */
  async list({ caller }: CallerRequest): Promise<{ readonly sessions: readonly ListedSession[] }> {
    const { memberId, tokenId } = caller;
    const now = await databaseNow(this.dataSource.manager);
    const idleSince = new Date(now.getTime() - IDLE_MS);
    const sessions = await this.dataSource.query<Session[]>(LIST_SESSIONS, [
      memberId,
      tokenId,
      idleSince,
      now,
    ]);
    return { sessions: sessions.map((session) => toListedSession(session, idOf(caller))) };
  }

  /**
   * Ends one session of the member, or of the token of the organisation. If it is the session of the request, it
   * is a sign-out.
   * @throws ApiError `not_found`
   */
  async endOne(
    request: CallerRequest,
    id: string,
    reply: FastifyReply,
    now = new Date(),
  ): Promise<{ ended: number }> {
    if (id === idOf(request.caller)) return this.end(request, reply, now);
    const { memberId, tokenId } = request.caller;
    const details = { reason: 'ended_in_another_session' };
    await this.dataSource.transaction(async (manager) => {
      const own = [memberId, tokenId, id];
      const [, count] = await manager.query<[unknown[], number]>(END_OWN_SESSION, own);
      if (count === 0) throw noSuch('session');
      await auditRequest(manager, request, { now, action: 'session.ended', targetId: id, details });
    });
    return { ended: 1 };
  }

  /** Ends all sessions of the member. For a token of the organisation, ends the sessions of this token. */
  async endAll(request: CallerRequest, reply: FastifyReply, now = new Date()): Promise<{ ended: number }> {
    const { memberId, tokenId } = request.caller;
    const targetId = idOf(request.caller);
    const ended = await this.dataSource.transaction(async (manager) => {
      const [, count] = await manager.query<[unknown[], number]>(END_ALL_SESSIONS, [memberId, tokenId]);
      const details = { ended: count };
      await auditRequest(manager, request, { now, action: 'session.all_ended', targetId, details });
      return count;
    });
    void reply.header('set-cookie', this.cookie.clear());
    return { ended };
  }

  /** @throws ApiError `forbidden` if the cookie would cross a network in plaintext */
  assertAllowed(): void {
    if (this.cookie.isAllowed) return;
    throw new ApiError(
      'forbidden',
      'The dashboard needs HTTPS. Ask the operator to set UNDERSTUDY_PUBLIC_URL to an https:// URL.',
    );
  }

  private async find(manager: EntityManager, id: string): Promise<SessionResponse> {
    const [session] = await manager.query<Session[]>(FIND_SESSION_BY_ID, [id]);
    if (!session) throw new ApiError('unauthorized', 'Your session has ended.');
    return toSessionResponse(session);
  }
}

function idOf({ sessionId }: CallerRequest['caller']): string {
  if (sessionId === null) throw new Error('expected a route with `access: "session"`');
  return sessionId;
}
