import { restoreSettings } from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';

/** Sets synchronous_commit to the session's default. If the default is `off`, sets it to `local`. */
export const DURABLE = `
  SELECT pg_catalog.set_config('synchronous_commit', CASE reset_val WHEN 'off' THEN 'local' ELSE reset_val END, true)
    FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit'
`;

/**
 * Sets the settings of a transaction again that stages or switches tables, because an event trigger can change those of
 * its session. Some of them change values, or prevent that keys are checked.
 * Costs two round trips, so call it only if the target has an event trigger. `search_path` is empty afterwards. A rollback
 * brings the changed settings back, so each try must call it again.
 * @param lockMs how long a statement may wait for a lock, in milliseconds
 * @throws SyncJobError setting_refused
 */
export async function ownSettings(client: LocatedClient, lockMs: number): Promise<void> {
  await guard(client.context, () => restoreSettings(client.plain, 'target'));
  await client.query(`SET LOCAL lock_timeout = ${lockMs}; ${DURABLE}`);
}
