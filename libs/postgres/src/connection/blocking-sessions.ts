import type { Client } from './session.js';

/** @returns the process ids of the sessions that the given one waits for, as `pg_blocking_pids` has them */
export async function blockingSessions(client: Client, backendPid: number): Promise<readonly number[]> {
  const { rows } = await client.query<{ pids: number[] }>('SELECT pg_catalog.pg_blocking_pids($1) AS pids', [
    backendPid,
  ]);
  return rows[0]?.pids ?? [];
}
