import { disconnect, type Client, killSessions, type Session } from '@understudy/postgres';

export interface OverSessionsRequest<T> {
  /** Taken in this order. */
  readonly tasks: readonly T[];
  /** At most so many sessions at once, and none more than tasks. */
  readonly connections: number;
  readonly open: () => Promise<Session>;
  readonly run: (client: Client, task: T) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Does statements that may take hours, several at once: whoever stops them tells the server.
 * @throws the first failure, or the signal's reason; then all have stopped, and every session has ended
 */
export async function overSessions<T>(request: OverSessionsRequest<T>): Promise<void> {
  const { tasks, connections, open, run, signal } = request;
  const waiting = [...tasks];
  const sessions = new Set<Session>();
  let halted: { readonly reason: unknown; readonly killed: Promise<void> } | undefined;
  const halt = (reason: unknown) => {
    waiting.length = 0;
    halted ??= { reason, killed: killSessions([...sessions]) };
  };
  const onAbort = () => {
    halt(signal.reason);
  };
  const work = async () => {
    const session = await open();
    sessions.add(session);
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await run(session.client, next);
      }
    } finally {
      sessions.delete(session);
      await disconnect(session.client);
    }
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort);
  try {
    const workers = Math.min(connections, tasks.length);
    await Promise.all(Array.from({ length: workers }, () => work().catch(halt)));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  await halted?.killed;
  if (halted !== undefined) throw halted.reason;
}
