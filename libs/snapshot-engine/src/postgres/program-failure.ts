import { SnapshotError, type SnapshotFailureCode } from '../snapshot-failure.js';
import { PgProgramError } from './run-pg-program.js';

/**
 * pg_dump and pg_restore say in words alone what went wrong, and the words may quote rows. What is known by them becomes a code; the error
 * stays as the cause.
 * @param otherwise for what is in no list
 */
export function programFailure(
  error: unknown,
  side: 'source' | 'target',
  otherwise: SnapshotFailureCode,
): unknown {
  if (!(error instanceof PgProgramError)) return error;
  const [, code, own] = WORDS.find(([words]) => words.test(error.stderr)) ?? [undefined, otherwise, false];
  return new SnapshotError(own === true ? { code } : { code, side }, { cause: error });
}

/** As PostgreSQL 14 to 18 write them in English; `true`: of this machine, no database's. */
const WORDS: readonly (readonly [RegExp, SnapshotFailureCode, boolean?])[] = [
  [/(?:could not (?:write|close|open)|error during file write).*No space left on device/, 'disk_full', true],
  [/could not extend file|No space left on device/, 'disk_full'],
  [
    /server closed the connection unexpectedly|terminating connection|connection to server .* failed|SSL connection has been closed/,
    'connection_lost',
  ],
  [/canceling statement due to lock timeout/, 'lock_timeout'],
  [/permission denied|must be (?:owner|superuser|member)|must have privileges/, 'permission_denied'],
  [
    /(?:role|tablespace|extension|library|language) ".*" (?:does not exist|is not available)|could not open extension control file|could not access file/,
    'prerequisite_missing',
  ],
  [/already exists/, 'create_failed'],
];
