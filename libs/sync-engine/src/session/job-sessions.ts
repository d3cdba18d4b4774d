import { disconnect, killSession, type Session } from '@understudy/postgres';

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

  /** @throws the signal's reason, at once: a server that does not answer is not waited for */
  async open(openOne: () => Promise<Session>): Promise<Session> {
    this.signal.throwIfAborted();
    const opening = openOne();
    const isOpen = await Promise.race([opening.then(() => true), whenAborted(this.signal)]);
    if (isOpen !== true) {
      // One that opens after all is closed; one that does not leaves nothing.
      opening.then(killSession).catch(() => undefined);
      throw this.signal.reason;
    }
    const session = await opening;
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

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
