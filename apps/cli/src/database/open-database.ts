import {
  type ConnectionTarget,
  DatabaseError,
  isPlaintextRemote,
  disconnect,
  openSession,
  refusePooler,
  type Session,
} from '@understudy/postgres';
import { userInfo } from 'node:os';
import pgpass from 'pgpass';
import { CliError } from '../cli-error.js';
import { environment } from '../config/environment.js';
import { EXIT } from '../exit-code.js';
import { readDatabaseUrl } from './read-database-url.js';
import { printWarning } from '../terminal/messages.js';

/**
 * Opens a connection. Like psql, takes the password from the URL, PGPASSWORD or ~/.pgpass, in this order.
 * @throws CliError if the connection fails
 */
export async function openDatabase(url: string): Promise<Session> {
  const target = readDatabaseUrl(url, { environment: environment(), userName: userInfo().username });
  warnOfPlaintext(target);
  const password =
    target.password ?? (await new Promise<string | undefined>((found) => pgpass(target, found)));
  try {
    const session = await openSession(
      { ...target, ...(password !== undefined && { password }) },
      'target',
      'understudy',
    );
    await refusePooler(session).catch(async (error: unknown) => {
      await disconnect(session.client);
      throw error;
    });
    return session;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw connectionError(error, target.display);
  }
}

/** Describes why a connection failed, with the server's address but without the password. */
export function connectionError(fault: ConnectionFault, address: string): CliError {
  return new CliError(EXIT.database, ...reasonOf(fault, address));
}

interface ConnectionFault {
  readonly code: string;
  /** The error of the driver or of the socket. */
  readonly cause?: unknown;
}

function reasonOf(
  { code: failure, cause }: ConnectionFault,
  address: string,
): [message: string, hint?: string] {
  switch (failure) {
    case 'authentication_failed':
      return [
        `${address}: the server rejected the user or the password`,
        'Put the password into the URL, PGPASSWORD or ~/.pgpass.',
      ];
    case 'database_not_found':
      return [`${address}: the server has no database with this name`];
    case 'permission_denied':
      return [`${address}: the user has no permission to connect to this database`];
    case 'pooler_unsupported':
      return [
        `${address}: a connection pooler assigns another server process to each transaction`,
        'Connect to the server directly, or use a pool with pool_mode = session.',
      ];
    case 'sessions_exhausted':
      return [
        `${address}: there is no further session`,
        "Raise the pooler's pool size, the CONNECTION LIMIT of the role or database, or max_connections.",
      ];
    default: {
      const code: unknown =
        typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
      return [
        `${address}: cannot connect${typeof code === 'string' ? ` (${code})` : ''}`,
        'Check that the server is running and that this machine can reach it. A server on another machine must support TLS, unless the URL contains ?sslmode=disable.',
      ];
    }
  }
}

/** Prints a warning for each database on another machine that the command connects to without encryption. */
export function warnOfPlaintext(...targets: readonly ConnectionTarget[]): void {
  for (const target of targets.filter(isPlaintextRemote)) {
    printWarning(
      `the connection to ${target.display} is not encrypted: others on the network can read the rows and the password`,
    );
  }
}
