import { killSessions, type Session } from './session.js';

/**
 * For work that asks the catalogs: the servers end a statement of it that takes longer than a minute, and sessions whose server does not
 * answer any more are given up after ten. What copies rows or builds indexes takes as long as it takes, and is not for this.
 */
export async function withinTime<T>(
  sessions: readonly Session[],
  work: () => Promise<T>,
  statementMs = STATEMENT_MS,
): Promise<T> {
  const limit = (ms: number) =>
    Promise.all(sessions.map(({ client }) => client.query(`SET statement_timeout = ${ms}`)));
  const timer = setTimeout(() => void killSessions(sessions), WORK_MS);
  try {
    await limit(statementMs);
    return await work();
  } finally {
    clearTimeout(timer);
    // In a transaction that has failed it is undone with the rest.
    await limit(0).catch(() => undefined);
  }
}

const STATEMENT_MS = 60_000;
const WORK_MS = 600_000;
