import type { Client } from '@understudy/postgres';
import { type ConnectionTarget, connect, openSession, type Session } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import { guard } from './guard.js';

/** Opens a session of a job. @param name the session's `application_name` @throws SyncJobError with the side */
export function openJobSession(
  target: ConnectionTarget,
  side: DatabaseSide,
  name?: string,
): Promise<Session> {
  return guard({ side }, () => openSession(target, side, name));
}

/** Opens a connection that nobody has to end from outside. @throws SyncJobError with the side */
export function openJobClient(target: ConnectionTarget, side: DatabaseSide, name?: string): Promise<Client> {
  return guard({ side }, () => connect(target, side, name));
}
