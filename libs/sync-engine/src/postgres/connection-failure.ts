import type { SyncFailureCode } from '../sync/sync-job-error.js';

const CODES: Readonly<Record<string, SyncFailureCode>> = {
  '28P01': 'authentication_failed',
  '28000': 'authentication_failed',
  '3D000': 'database_not_found',
  '42501': 'permission_denied',
};

/** Why a connection could not be opened. */
export function connectionFailureCode(error: unknown): SyncFailureCode {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && CODES[code] !== undefined) return CODES[code];
  // The server asked for a password and the driver has none: pg says so in words only.
  if (typeof message === 'string' && message.startsWith('SASL')) return 'authentication_failed';
  return 'connection_failed';
}
