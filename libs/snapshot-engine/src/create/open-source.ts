import { connect, disconnect, databaseError, type ConnectionTarget, type Client } from '@understudy/postgres';
import { SnapshotError } from '../job/snapshot-failure.js';
import { readSourceCatalog, type SourceCatalog } from './source-catalog.js';

/**
 * A session whose transaction sees one consistent state of a database. The session stays open until pg_dump has
 * ended.
 */
export interface SourceSession {
  readonly catalog: SourceCatalog;
  /** Identifier of the exported PostgreSQL snapshot, for `pg_dump --snapshot`. */
  readonly snapshotId: string;
  readonly client: Client;
  release(): Promise<void>;
}

/**
 * Opens the source, reads its catalog and exports a PostgreSQL snapshot.
 * @throws DatabaseError, or SnapshotError `server_too_old`
 */
export async function openSource(target: ConnectionTarget, name: string): Promise<SourceSession> {
  const client = await connect(target, 'source', name);
  const release = () => disconnect(client);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const catalog = await readSourceCatalog(client);
    if (catalog.majorVersion < OLDEST_MAJOR)
      throw new SnapshotError({ code: 'server_too_old', side: 'source' });
    const { rows } = await client.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id');
    return { catalog, snapshotId: rows[0]?.id ?? '', client, release };
  } catch (cause) {
    await release();
    if (cause instanceof SnapshotError) throw cause;
    throw databaseError(cause, 'source');
  }
}

const OLDEST_MAJOR = 14;
