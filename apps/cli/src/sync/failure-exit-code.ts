import type { SyncFailureCode } from '@understudy/sync-job';
import { EXIT, type ExitCode } from '../exit-code.js';

/** What the command ends with when the engine failed. */
export function failureExitCode(code: SyncFailureCode): ExitCode {
  if (code === 'internal') return EXIT.internal;
  if (code === 'verification_failed') return EXIT.unequal;
  return OF_DATABASES.has(code) ? EXIT.database : EXIT.refused;
}

/** The job may be right: a database is not there, or does not let it. */
const OF_DATABASES: ReadonlySet<SyncFailureCode> = new Set([
  'connection_failed',
  'authentication_failed',
  'database_not_found',
  'connection_lost',
  'database_error',
  'disk_full',
  'lock_timeout',
  'permission_denied',
  'pooler_unsupported',
  'server_too_old',
  'snapshot_lost',
  'staging_untrusted',
  'stalled',
]);
