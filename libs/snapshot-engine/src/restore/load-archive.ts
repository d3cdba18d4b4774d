import { libpqEnvironment, type ConnectionTarget } from '@understudy/postgres';
import { programFailure, PgProgramError, runPgProgram } from '../postgres/run-pg-program.js';

export interface LoadRequest {
  /** pg_restore */
  readonly program: string;
  readonly target: ConnectionTarget;
  /** Private to this load. */
  readonly folder: string;
  /** What pg_dump wrote. */
  readonly dump: string;
  /** A file that names the entries to load; absent: all. */
  readonly entries?: string;
  /** Sessions at once; `one transaction` can have one only. */
  readonly jobs: number | 'one transaction';
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** Loads a dump into a database; ends at the first error, but for what {@link loadIntoOlderServer} says. @throws SnapshotError */
export async function loadArchive(request: LoadRequest): Promise<void> {
  const { jobs } = request;
  try {
    await run(request, ['--exit-on-error']).catch(async (error: unknown) => {
      // One transaction is over after any error.
      if (jobs === 'one transaction' || !(error instanceof PgProgramError) || !isUnknownTimeout(error.stderr))
        throw error;
      await loadIntoOlderServer(request, jobs);
    });
  } catch (error) {
    throw programFailure(error, 'target', 'create_failed');
  }
}

/** By a pg_restore for newer servers, which has made nothing yet: it has to go on after errors, and comes to its end whatever they are. */
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

/** A connection string that is a name and nothing else: one with `=` in it, or that begins like a URL, would be read as more. */
function nameOnly(database: string): string {
  return `dbname='${database.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * From 17 on pg_restore switches `transaction_timeout` off in each of its sessions; servers before 17 do not know that setting, which is
 * to say that it is off. Told to end at the first error pg_restore ends there, before it has made anything.
 */
export function isUnknownTimeout(stderr: string): boolean {
  return UNKNOWN_TIMEOUT.test(stderr);
}

/**
 * Of a pg_restore that was told to go on after errors: whether that one was all. It counts those of its first session, which connects twice where others
 * work beside it, and each entry with an error; not what the other sessions meet before their first entry.
 * @param jobs sessions at once
 */
export function hasOnlyUnknownTimeouts(stderr: string, jobs: number): boolean {
  return Number(IGNORED_ERRORS.exec(stderr)?.[1]) === (jobs > 1 ? 2 : 1);
}

const UNKNOWN_TIMEOUT =
  /^pg_restore: error: could not execute query: ERROR: +unrecognized configuration parameter "transaction_timeout"$/m;
const IGNORED_ERRORS = /^pg_restore: warning: errors ignored on restore: (\d+)$(?![^]*^pg_restore: )/m;
