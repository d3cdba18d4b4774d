import { killSessions, type Session } from './session.js';

/**
 * Runs work that only queries the catalogs, with time limits. By default, the server cancels a statement after one
 * minute. If the work has not ended after ten minutes, this function terminates the sessions. Do not use it for copying
 * rows or building indexes.
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
    // In a failed transaction this statement fails, but the rollback resets the limit.
    await limit(0).catch(() => undefined);
  }
}

const STATEMENT_MS = 60_000;
const WORK_MS = 600_000;
