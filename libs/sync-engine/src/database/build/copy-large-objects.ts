import { type Client, quoteLiteral } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Copies the large objects of the source that the new database does not have, with their comments and without their
 * rights. Each transaction writes complete objects, so a later attempt continues behind them. Holds at most
 * {@link MAX_OBJECTS} times {@link PART_BYTES} bytes.
 * @param clients the client of the source is in the job's snapshot
 * @throws SyncJobError permission_denied if the role may not read an object of the source
 */
export async function copyLargeObjects(
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  signal: AbortSignal,
): Promise<void> {
  for (let after = '0'; ;) {
    signal.throwIfAborted();
    const { rows: page } = await source.query<{ oid: string }>(OBJECTS_AFTER, [after]);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.oid;
    const { rows: missing } = await target.query<{ oid: string }>(MISSING, [page.map(({ oid }) => oid)]);
    const oids = missing.map(({ oid }) => oid);
    if (oids.length === 0) continue;
    const { rows } = await source.query<FirstPart>(FIRST_PARTS, [oids, PART_BYTES]);
    await target.query('BEGIN; SET LOCAL synchronous_commit = off');
    try {
      await target.query(CREATE, [rows.map(({ oid }) => oid), rows.map(({ data }) => data)]);
      for (const { oid, data, comment } of rows) {
        if (data.length === PART_BYTES) await copyRest(source, target, oid);
        if (comment !== null)
          await target.query(`COMMENT ON LARGE OBJECT ${oid} IS ${quoteLiteral(comment)}`);
      }
      await target.query('COMMIT');
    } catch (error) {
      await target.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

interface FirstPart {
  readonly oid: string;
  readonly data: Buffer;
  readonly comment: string | null;
}

async function copyRest(source: Client, target: Client, oid: string): Promise<void> {
  for (let offset = PART_BYTES; ;) {
    const { rows } = await source.query<{ data: Buffer }>(PART, [oid, offset, PART_BYTES]);
    const data = rows[0]?.data;
    if (data === undefined || data.length === 0) return;
    await target.query('SELECT pg_catalog.lo_put($1::oid, $2::int8, $3::bytea)', [oid, offset, data]);
    offset += data.length;
  }
}

const MAX_OBJECTS = 64;
const PART_BYTES = 262_144;

/** $1: an oid. */
const OBJECTS_AFTER = `
  SELECT oid::text AS oid FROM pg_catalog.pg_largeobject_metadata m WHERE m.oid > $1::oid ORDER BY m.oid LIMIT ${MAX_OBJECTS}
`;

/** $1: oids. */
const MISSING = `
  SELECT w.oid::text AS oid FROM pg_catalog.unnest($1::oid[]) AS w (oid)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_largeobject_metadata m WHERE m.oid = w.oid)
`;

/** $1: oids, $2: a number of bytes. */
const FIRST_PARTS = `
  SELECT w.oid::text AS oid, pg_catalog.lo_get(w.oid, 0, $2::int4) AS data,
         pg_catalog.obj_description(w.oid, 'pg_largeobject') AS comment
    FROM pg_catalog.unnest($1::oid[]) AS w (oid)
`;

/** $1: an oid, $2: the first byte, $3: a number of bytes. */
const PART = 'SELECT pg_catalog.lo_get($1::oid, $2::int8, $3::int4) AS data';

/** $1: oids, $2: the first bytes of the objects. */
const CREATE = `
  SELECT pg_catalog.lo_from_bytea(w.oid, w.data)
    FROM ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::bytea[])) AS w (oid, data)
`;
