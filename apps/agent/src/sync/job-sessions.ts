import { disconnect } from '../postgres/connect.js';
import { killSession, type Session } from '../postgres/session.js';

/**
 * The connections of one attempt. Ended at once when the signal says so, until `keepOpen` is called; an open transaction is rolled back.
 */
export class JobSessions {
  private readonly sessions: Session[] = [];
  private readonly kills: Promise<void>[] = [];
  private readonly onAbort = () => {
    this.kills.push(...this.sessions.map(killSession));
  };

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.onAbort);
  }

  /** @throws the signal's reason */
  async open(openOne: () => Promise<Session>): Promise<Session> {
    this.signal.throwIfAborted();
    const session = await openOne();
    this.sessions.push(session);
    if (this.signal.aborted) this.onAbort();
    this.signal.throwIfAborted();
    return session;
  }

  keepOpen(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.keepOpen();
    await Promise.all([...this.kills, ...this.sessions.map(({ client }) => disconnect(client))]);
  }
}
