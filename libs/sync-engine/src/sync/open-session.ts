import type { Client } from 'pg';
import type { ConnectionTarget } from '../connection/connection-target.js';
import { connect } from '../postgres/connect.js';
import type { DatabaseSide } from '../postgres/database-error.js';
import { openSession, type Session } from '../postgres/session.js';
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
