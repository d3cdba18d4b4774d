import { libpqEnvironment, type ConnectionTarget } from '@understudy/postgres';
import { programFailure, PgProgramError, runPgProgram } from '../postgres/run-pg-program.js';

export interface LoadRequest {
  /** Path of pg_restore. */
  readonly program: string;
  readonly target: ConnectionTarget;
  /** Folder that only this load uses. */
  readonly folder: string;
  /** The folder that pg_dump wrote. */
  readonly dump: string;
  /** File that lists the entries to load; absent to load all. */
  readonly entries?: string;
  /** Number of parallel sessions. `one transaction` uses one session. */
  readonly jobs: number | 'one transaction';
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/**
 * Loads a dump into a database. The load ends at the first error. If an older server caused this error
 * because it lacks a setting, {@link loadIntoOlderServer} repeats the load, unless the load uses one
 * transaction.
 * @throws SnapshotError
 */
export async function loadArchive(request: LoadRequest): Promise<void> {
  const { jobs } = request;
  try {
    await run(request, ['--exit-on-error']).catch(async (error: unknown) => {
      // No statement can follow an error in a transaction.
      if (jobs === 'one transaction' || !(error instanceof PgProgramError) || !isUnknownTimeout(error.stderr))
        throw error;
      await loadIntoOlderServer(request, jobs);
    });
  } catch (error) {
    throw programFailure(error, 'target', 'create_failed');
  }
}

/**
 * Repeats the load without `--exit-on-error`, for a pg_restore that is newer than the server. Ignores only the errors
 * that {@link isUnknownTimeout} recognizes. Any other error makes the load fail after pg_restore has ended.
 */
async function loadIntoOlderServer(request: LoadRequest, jobs: number): Promise<void> {
  try {
    await run(request, []);
  } catch (error) {
    if (!(error instanceof PgProgramError) || !hasOnlyUnknownTimeouts(error.stderr, jobs)) throw error;
  }
}

async function run(
  { program, target, folder, dump, entries, jobs, signal, onLine }: LoadRequest,
  flags: readonly string[],
): Promise<void> {
  await runPgProgram({
    path: program,
    args: [
      ...['--format=directory', ...flags, '--no-password', '--verbose'],
      `--dbname=${nameOnly(target.database)}`,
      jobs === 'one transaction' ? '--single-transaction' : `--jobs=${jobs}`,
      ...(entries === undefined ? [] : [`--use-list=${entries}`]),
      dump,
    ],
    environment: await libpqEnvironment(target, folder),
    signal,
    onLine,
  });
}

/**
 * Quotes a database name for libpq. Without quotes, libpq would parse a name that contains `=` or begins like a URL
 * as a connection string.
 */
function nameOnly(database: string): string {
  return `dbname='${database.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * Recognizes the error of pg_restore 17 or later on a server before version 17. Such a pg_restore sets
 * `transaction_timeout = 0` in each session, and the server lacks the setting. With `--exit-on-error`,
 * pg_restore ends at this error, before it has created anything.
 */
export function isUnknownTimeout(stderr: string): boolean {
  return UNKNOWN_TIMEOUT.test(stderr);
}

/**
 * Checks that the unknown setting caused all errors of a pg_restore that continued after errors. Compares the
 * error count that pg_restore prints with the number of errors that the setting causes. pg_restore counts the
 * entries that failed and the errors of its first session. With several jobs, the first session connects twice,
 * so the setting causes two errors there. Errors of other sessions before their first entry are not counted.
 * @param jobs the number of parallel sessions
 */
export function hasOnlyUnknownTimeouts(stderr: string, jobs: number): boolean {
  return Number(IGNORED_ERRORS.exec(stderr)?.[1]) === (jobs > 1 ? 2 : 1);
}

const UNKNOWN_TIMEOUT =
  /^pg_restore: error: could not execute query: ERROR: +unrecognized configuration parameter "transaction_timeout"$/m;
const IGNORED_ERRORS = /^pg_restore: warning: errors ignored on restore: (\d+)$(?![^]*^pg_restore: )/m;
