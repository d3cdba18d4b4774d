import {
  disconnect,
  DatabaseError,
  databaseError,
  openSession,
  sqlstateOf,
  type ConnectionTarget,
  type Client,
  type Session,
} from '@understudy/postgres';
import { defined, SyncJobError } from '@understudy/sync-job';

/**
 * A session on the target's server. If possible, it is connected to a database other than the target, because a
 * session cannot rename its own database.
 */
export interface ServerSession extends Session {
  /** True if the session is connected to the target, because it could connect to no maintenance database. */
  readonly isInTarget: boolean;
}

export const SESSION_NAME = 'understudy-agent';

/** Opens a session, runs the work and closes the session. @throws DatabaseError if no session can be opened */
export async function withServerSession<T>(
  target: ConnectionTarget,
  work: (session: ServerSession) => Promise<T>,
): Promise<T> {
  const session = await openServerSession(target);
  try {
    return await work(session);
  } finally {
    await disconnect(session.client);
  }
}

/**
 * Runs work that creates, changes or drops databases.
 * @throws DatabaseError. Instead of the general code `database_error`, throws SyncJobError `create_failed`.
 */
export async function onTargetServer<T>(
  target: ConnectionTarget,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withServerSession(target, ({ client }) => withCreateFailures(() => work(client)));
}

export async function withCreateFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const error = databaseError(cause, 'target');
    if (error.code !== 'database_error') throw error;
    const { side, constraintKind, sqlstate } = error;
    const facts = defined({ constraintKind, sqlstate });
    throw new SyncJobError({ code: 'create_failed', side, ...facts }, { cause });
  }
}

/**
 * Opens a session.
 * @param name the session's `application_name`
 * @throws DatabaseError if no session can be opened
 */
export async function openServerSession(
  target: ConnectionTarget,
  name: string = SESSION_NAME,
): Promise<ServerSession> {
  let refusal: unknown;
  const others = MAINTENANCE_DATABASES.filter((one) => one !== target.database);
  for (const database of [...others, target.database]) {
    try {
      const session = await openSession({ ...target, database }, 'target', name);
      return { ...session, isInTarget: database === target.database };
    } catch (error) {
      // If every database refuses the role, only the last refusal is reported: that of the target.
      refusal = error;
      if (!isAboutDatabase(error)) throw error;
    }
  }
  throw refusal;
}

function isAboutDatabase(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (['database_not_found', 'permission_denied', 'authentication_failed'].includes(error.code) ||
      sqlstateOf(error.cause) === ACCEPTS_NO_CONNECTIONS)
  );
}

const ACCEPTS_NO_CONNECTIONS = '55000';

/** The databases in which names are locked. The first one that admits the role is used. */
export const MAINTENANCE_DATABASES = ['postgres', 'template1'];
