import {
  type ConnectionTarget,
  DatabaseError,
  isPlaintextRemote,
  openSession,
  type Session,
} from '@understudy/postgres';
import { userInfo } from 'node:os';
import pgpass from 'pgpass';
import { CliError } from '../cli-error.js';
import { environment } from '../config/environment.js';
import { EXIT } from '../exit-code.js';
import { readDatabaseUrl } from './read-database-url.js';
import { printWarning } from '../terminal/messages.js';

/** Opens a connection as psql would: with the password of the URL, of PGPASSWORD or of ~/.pgpass. @throws CliError */
export async function openDatabase(url: string): Promise<Session> {
  const target = readDatabaseUrl(url, { environment: environment(), userName: userInfo().username });
  warnOfPlaintext(target);
  const password =
    target.password ?? (await new Promise<string | undefined>((found) => pgpass(target, found)));
  try {
    return await openSession(
      { ...target, ...(password !== undefined && { password }) },
      'target',
      'understudy',
    );
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new CliError(EXIT.database, ...reasonOf(error, target.display));
  }
}

function reasonOf({ code: failure, cause }: DatabaseError, place: string): [message: string, hint?: string] {
  switch (failure) {
    case 'authentication_failed':
      return [
        `${place}: the server did not accept the user or the password`,
        'A password is taken from the URL, from PGPASSWORD or from ~/.pgpass.',
      ];
    case 'database_not_found':
      return [`${place}: the server has no database of this name`];
    case 'permission_denied':
      return [`${place}: the user may not connect to this database`];
    default: {
      const code: unknown =
        typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
      return [
        `${place}: no connection${typeof code === 'string' ? ` (${code})` : ''}`,
        'Is the server running there, and may this machine reach it? A server on another machine has to speak TLS, unless the URL says ?sslmode=disable.',
      ];
    }
  }
}

/** Warns once for each database on another machine that the command connects to in plaintext. */
export function warnOfPlaintext(...targets: readonly ConnectionTarget[]): void {
  for (const target of targets.filter(isPlaintextRemote)) {
    printWarning(
      `the connection to ${target.display} is not encrypted: rows and the password can be read on the network`,
    );
  }
}
