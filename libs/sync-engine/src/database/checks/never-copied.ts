import { HAS_LARGE_OBJECTS } from '@understudy/postgres';
import { type SyncJobCommand, SyncJobError, type SyncWarning } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Refuses a source with large objects, unless the job skips them, and a source with foreign servers, whose options can
 * contain passwords and addresses.
 * @throws SyncJobError large_objects_refused, foreign_servers_refused
 */
export async function refuseUndecided(
  { largeObjects = 'fail' }: SyncJobCommand,
  source: LocatedClient,
): Promise<void> {
  const { rows: servers } = await source.query('SELECT FROM pg_catalog.pg_foreign_server LIMIT 1');
  if (servers.length > 0) throw new SyncJobError({ code: 'foreign_servers_refused', side: 'source' });
  if (largeObjects !== 'fail') return;
  const { rows } = await source.query<{ found: boolean }>(HAS_LARGE_OBJECTS);
  if (rows[0]?.found === true) throw new SyncJobError({ code: 'large_objects_refused', side: 'source' });
}

/** Returns a warning for each kind of objects of the source that the job does not copy. */
export async function neverCopied(
  { publications = 'none' }: SyncJobCommand,
  source: LocatedClient,
): Promise<readonly SyncWarning[]> {
  const { rows } = await source.query<Record<(typeof KINDS)[number], number>>(NEVER_COPIED);
  const [row] = rows;
  return KINDS.flatMap((code) => {
    if (row === undefined || row[code] === 0) return [];
    const isCopied = code === 'publications_not_copied' && publications === 'source';
    return isCopied ? [] : [{ code, count: row[code] }];
  });
}

const KINDS = ['subscriptions_not_copied', 'publications_not_copied', 'security_labels_not_copied'] as const;

/** A role that is no superuser can read these columns. */
const NEVER_COPIED = `
  SELECT (SELECT count(*) FROM pg_catalog.pg_subscription
           WHERE subdbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()))::int4
           AS subscriptions_not_copied,
         (SELECT count(*) FROM pg_catalog.pg_publication)::int4 AS publications_not_copied,
         (SELECT count(*) FROM pg_catalog.pg_seclabel)::int4 AS security_labels_not_copied
`;
