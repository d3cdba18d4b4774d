import { type Client, disconnect, killSessions, runInParallel, type Session } from '@understudy/postgres';

/**
 * The connections of one attempt. They are ended when the signal aborts, until `keepOpen` is called; the server rolls back an
 * open transaction.
 */
export class JobSessions {
  private readonly sessions: Session[] = [];
  private readonly kills: Promise<void>[] = [];
  /** Sessions that were still being opened when the signal aborted. */
  private readonly late: Promise<void>[] = [];
  private readonly onAbort = () => {
    this.kills.push(killSessions(this.sessions));
  };

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.onAbort);
  }

  /** @throws the signal's reason without waiting for a server that does not respond */
  async open(openOne: () => Promise<Session>): Promise<Session> {
    this.signal.throwIfAborted();
    const opening = openOne();
    const isOpen = await Promise.race([opening.then(() => true), whenAborted(this.signal)]);
    if (isOpen !== true) {
      // One that opens after all is closed; one that does not leaves nothing.
      this.late.push(opening.then((session) => killSessions([session])).catch(() => undefined));
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

  /** Never rejects. A session that is still being opened ends later. */
  async close(): Promise<void> {
    this.keepOpen();
    await Promise.all([...this.kills, ...this.sessions.map(({ client }) => disconnect(client))]);
  }

  /** Closes the sessions and waits for those that are still being opened. Never rejects. */
  async closeAll(): Promise<void> {
    await this.close();
    await Promise.all(this.late);
  }
}

/**
 * Runs workers concurrently. On the first failure or when the signal aborts, the servers end all of their sessions.
 * @throws the first failure, or the signal's reason; then all have stopped, and every session has ended
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
  /** Taken in this order. */
  readonly tasks: readonly T[];
  /** The largest number of sessions; no more than tasks are opened. */
  readonly connections: number;
  readonly open: () => Promise<Session>;
  readonly run: (client: Client, task: T) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs statements that may take hours, several at a time. @throws as {@link runWithSessions} */
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

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
