import type { Client, EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { LocatedClient } from '../session/located-client.js';

/**
 * Checks that each large object of the source is on the target with the same content and comment. Each server reads its
 * own objects through descriptors and returns a digest of each. Logs the oids of the objects that differ.
 * @param clients the client of the source is in the job's snapshot
 * @throws SyncJobError verification_failed
 */
export async function verifyLargeObjects(
  { source, target }: Readonly<Record<'source' | 'target', LocatedClient>>,
  { log, signal }: { readonly log: EngineLog; readonly signal: AbortSignal },
): Promise<void> {
  for (let after = '0'; ;) {
    signal.throwIfAborted();
    const { rows } = await source.query<{ oid: string }>(OIDS_AFTER, [after]);
    const oids = rows.map(({ oid }) => oid);
    const last = oids.at(-1);
    if (last === undefined) return;
    after = last;
    const expected = await readDigests(source, oids);
    const found = await readDigests(target, oids);
    const different = oids.filter((oid) => expected.get(oid) !== found.get(oid));
    if (different.length === 0) continue;
    log.error({ oids: different }, 'large objects of the target differ from those of the source');
    throw new SyncJobError({ code: 'verification_failed', side: 'target' });
  }
}

async function readDigests(client: Client, oids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ oid: string; digest: string }>(DIGESTS, [oids]);
  return new Map(rows.map(({ oid, digest }) => [oid, digest]));
}

const MAX_OBJECTS = 100;
const PART_BYTES = 1_048_576;

/** $1: an oid. */
const OIDS_AFTER = `
  SELECT m.oid::text AS oid FROM pg_catalog.pg_largeobject_metadata m
   WHERE m.oid > $1::oid ORDER BY m.oid LIMIT ${MAX_OBJECTS}
`;

/** Digests the parts of each object. Closes the descriptors, because the source's transaction stays open. $1: oids. */
const DIGESTS = `
  WITH opened AS MATERIALIZED (
    SELECT m.oid, pg_catalog.lo_open(m.oid, x'40000'::int4) AS fd
      FROM pg_catalog.pg_largeobject_metadata m WHERE m.oid = ANY ($1::oid[])
  ), sized AS MATERIALIZED (
    SELECT o.oid, o.fd, pg_catalog.lo_lseek64(o.fd, 0, 2) AS bytes FROM opened o
  ), digested AS MATERIALIZED (
    SELECT s.fd, s.oid::text AS oid, pg_catalog.jsonb_build_array(
             s.bytes, pg_catalog.obj_description(s.oid, 'pg_largeobject'),
             (SELECT pg_catalog.sha256(pg_catalog.string_agg(pg_catalog.sha256(
                       CASE WHEN pg_catalog.lo_lseek64(s.fd, n * ${PART_BYTES}, 0) >= 0 THEN pg_catalog.loread(s.fd, ${PART_BYTES}) END),
                     '' ORDER BY n))
                FROM pg_catalog.generate_series(0, s.bytes / ${PART_BYTES}) n))::text AS digest
      FROM sized s
  )
  SELECT d.oid, d.digest FROM digested d WHERE pg_catalog.lo_close(d.fd) = 0
`;
