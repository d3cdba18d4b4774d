import { disconnect, killSessions, runInParallel, type Session } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient, LocatedSession } from './located-client.js';

/**
 * The sessions of one attempt. If the signal aborts, they are killed, and the servers roll back open
 * transactions. After `keepOpen`, the signal has no effect on them.
 */
export class JobSessions {
  private sessions: Session[] = [];
  /** Those that are open but have no work. */
  private spare: Session[] = [];
  private readonly kills: Promise<void>[] = [];
  /** The cleanup of sessions that were still being opened when the signal aborted. */
  private readonly late: Promise<void>[] = [];
  private isClosed = false;
  private readonly onAbort = () => {
    this.kills.push(killSessions(this.sessions));
  };

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.onAbort);
  }

  /** Opens a session. @throws the signal's reason immediately, even if the server does not respond */
  async open<Opened extends Session>(openOne: () => Promise<Opened>): Promise<Opened> {
    this.signal.throwIfAborted();
    const opening = openOne();
    const settled = new AbortController();
    const isOpen = await Promise.race([
      opening.then(() => true),
      whenAborted(this.signal, settled.signal),
    ]).finally(() => {
      settled.abort();
    });
    if (isOpen !== true) {
      // If the session still opens, it is closed. If it fails to open, no cleanup is needed.
      this.late.push(opening.then((session) => killSessions([session])).catch(() => undefined));
      throw this.signal.reason;
    }
    const session = await opening;
    this.own(session);
    this.signal.throwIfAborted();
    return session;
  }

  /** Keeps an open session for later work. */
  keep(session: Session): void {
    this.spare.push(session);
    this.own(session);
  }

  /** Returns a session that was kept, if there is one. The caller then has to close it. */
  take(side: DatabaseSide): Session | undefined {
    const session = this.spare.find((spare) => spare.side === side);
    if (session !== undefined) this.release(session);
    return session;
  }

  /** Leaves a session to the caller, who has to close it. */
  release(session: Session): void {
    this.sessions = this.sessions.filter((other) => other !== session);
    this.spare = this.spare.filter((other) => other !== session);
  }

  /** Closes the sessions that were kept. Never rejects. */
  closeSpare(): Promise<void> {
    return this.closeThese(this.spare);
  }

  /** Closes the sessions that are open, so that the attempt can open others. Never rejects. */
  closeOpen(): Promise<void> {
    return this.closeThese(this.sessions);
  }

  private async closeThese(sessions: readonly Session[]): Promise<void> {
    for (const session of sessions) this.release(session);
    await Promise.all(sessions.map(({ client }) => disconnect(client)));
  }

  keepOpen(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  /**
   * Closes the sessions, without waiting for those that are still being opened, which it closes later. Never rejects.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    this.keepOpen();
    await Promise.all([...this.kills, ...this.sessions.map(({ client }) => disconnect(client))]);
  }

  /** Closes the sessions and waits for those that are still being opened. Never rejects. */
  async closeAll(): Promise<void> {
    await this.close();
    await Promise.all(this.late);
  }

  private own(session: Session): void {
    this.sessions.push(session);
    if (this.isClosed) this.late.push(disconnect(session.client));
    else if (this.signal.aborted) this.onAbort();
  }
}

/**
 * Runs workers concurrently. On the first failure, or if the signal aborts, all sessions of the workers are
 * killed.
 * @throws the first failure, or the signal's reason, after all workers and sessions have ended
 */
export async function runWithSessions(
  signal: AbortSignal,
  workers: number,
  work: (sessions: JobSessions, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  let sessions: JobSessions | undefined;
  const worker = (either: AbortSignal) => work((sessions ??= new JobSessions(either)), either);
  try {
    await runInParallel(
      signal,
      Array.from({ length: workers }, () => worker),
    );
  } finally {
    await sessions?.closeAll();
  }
}

export interface SessionTasks<T> {
  /** The tasks in the order in which they start. */
  readonly tasks: readonly T[];
  /** The maximum number of sessions. */
  readonly connections: number;
  readonly open: () => Promise<LocatedSession>;
  readonly run: (client: LocatedClient, task: T) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs tasks in several sessions, each of which runs one task after another.
 * @throws as {@link runWithSessions} does
 */
export function runTasks<T>({ tasks, connections, open, run, signal }: SessionTasks<T>): Promise<void> {
  const waiting = tasks.values();
  return runWithSessions(signal, Math.min(connections, tasks.length), async (sessions, either) => {
    const { client } = await sessions.open(open);
    for (const task of waiting) {
      await run(client, task);
      either.throwIfAborted();
    }
  });
}

/** @param ended removes the listener, because a job opens more sessions than a signal should have listeners */
function whenAborted(signal: AbortSignal, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: ended });
  });
}
