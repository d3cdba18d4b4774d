import { libpqEnvironment, type ConnectionTarget } from '@understudy/sync-engine';
import { programFailure } from './program-failure.js';
import { runPgProgram } from './run-pg-program.js';

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

/** Loads a dump into a database; ends at the first error. @throws SnapshotError */
export async function loadArchive(request: LoadRequest): Promise<void> {
  const { program, target, folder, dump, entries, jobs, signal, onLine } = request;
  try {
    await runPgProgram({
      path: program,
      args: [
        ...[
          '--format=directory',
          '--exit-on-error',
          '--no-password',
          '--verbose',
          `--dbname=${nameOnly(target.database)}`,
        ],
        jobs === 'one transaction' ? '--single-transaction' : `--jobs=${jobs}`,
        ...(entries === undefined ? [] : [`--use-list=${entries}`]),
        dump,
      ],
      environment: await libpqEnvironment(target, folder),
      signal,
      onLine,
    });
  } catch (error) {
    throw programFailure(error, 'target', 'create_failed');
  }
}

/** A connection string that is a name and nothing else: one with `=` in it, or that begins like a URL, would be read as more. */
function nameOnly(database: string): string {
  return `dbname='${database.replace(/[\\']/g, '\\$&')}'`;
}
