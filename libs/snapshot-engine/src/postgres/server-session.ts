import { connect, disconnect, SyncJobError, type ConnectionTarget } from '@understudy/sync-engine';
import type { Client } from 'pg';

/** A session on the target's server, in another database if there is one that lets the role in: a database cannot be renamed from inside. */
export interface ServerSession {
  readonly client: Client;
  /** No other database would do. */
  readonly isInTarget: boolean;
}

/** @throws SyncJobError */
export async function openServerSession(target: ConnectionTarget, name: string): Promise<ServerSession> {
  let refusal: unknown;
  for (const database of [...MAINTENANCE.filter((one) => one !== target.database), target.database]) {
    try {
      const client = await connect({ ...target, database }, 'target', name);
      return { client, isInTarget: database === target.database };
    } catch (error) {
      // What a database refuses is told of the target, if at all: the others were tried for convenience.
      refusal = error;
      if (!isOfTheDatabase(error)) throw error;
    }
  }
  throw refusal;
}

/** Runs work in such a session and closes it. */
export async function withServerSession<T>(
  target: ConnectionTarget,
  name: string,
  work: (session: ServerSession) => Promise<T>,
): Promise<T> {
  const session = await openServerSession(target, name);
  try {
    return await work(session);
  } finally {
    await disconnect(session.client);
  }
}

function isOfTheDatabase(error: unknown): boolean {
  return (
    error instanceof SyncJobError &&
    ['database_not_found', 'permission_denied', 'authentication_failed'].includes(error.failure.code)
  );
}

const MAINTENANCE = ['postgres', 'template1'];
