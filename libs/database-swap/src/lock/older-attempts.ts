import type { Client } from '@understudy/postgres';
import type { LockHolder } from './lock-holders.js';

/**
 * Ends those sessions among the holders of a lock that belong to an older attempt at the client's work. Such a session
 * belongs to an agent that hangs or is gone, and may never end by itself.
 */
export async function endOlderAttempts(client: Client, holders: readonly LockHolder[]): Promise<void> {
  if (holders.length === 0) return;
  const { rows } = await client.query<{ name: string }>(
    "SELECT pg_catalog.current_setting('application_name') AS name",
  );
  const own = rows[0]?.name ?? '';
  const older = holders.filter(({ name }) => isOlderAttempt(name ?? '', own)).map(({ pid }) => pid);
  if (older.length === 0) return;
  // `ALTER ROLE … SET role` can give sessions another current role, which may not end them.
  await client.query('SET ROLE NONE');
  await client.query(
    'SELECT pg_catalog.pg_terminate_backend(pid, $2) FROM pg_catalog.unnest($1::int4[]) AS pid',
    [older, ENDED_WITHIN_MS],
  );
  await client.query('RESET ROLE');
}

const ENDED_WITHIN_MS = 5_000;

/** Returns whether two names of sessions differ only in the number at their end, and that of the first is lower. */
export function isOlderAttempt(name: string, than: string): boolean {
  const [, work, epoch] = ATTEMPT.exec(name) ?? [];
  const [, ownWork, ownEpoch] = ATTEMPT.exec(than) ?? [];
  return work !== undefined && work === ownWork && Number(epoch) < Number(ownEpoch);
}

const ATTEMPT = /^(.+ )(\d{1,9})$/;
