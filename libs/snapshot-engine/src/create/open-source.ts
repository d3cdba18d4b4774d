import {
  type Client,
  type ConnectionTarget,
  databaseError,
  DatabaseError,
  disconnect,
  openFurther,
  openSession,
  refusePooler,
} from '@understudy/postgres';
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
  /** The number of pg_dump's jobs for which the database has sessions. */
  readonly jobs: number;
  release(): Promise<void>;
}

/**
 * Opens the source, reads its catalog and exports a PostgreSQL snapshot.
 * @param jobs the configured number of pg_dump's jobs
 * @throws DatabaseError, or SnapshotError `server_too_old`
 */
export async function openSource(
  target: ConnectionTarget,
  name: string,
  jobs: number,
): Promise<SourceSession> {
  const session = await openSession(target, 'source', name);
  const { client } = session;
  const release = () => disconnect(client);
  try {
    // Several jobs need another session that leads them.
    const { clients } = await openFurther(session, { wanted: jobs + 1, least: 1, waitMs: SESSION_WAIT_MS });
    await Promise.all(clients.map(disconnect));
    if (clients.length === 0) throw new DatabaseError('sessions_exhausted', 'source');
    await refusePooler(session);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const catalog = await readSourceCatalog(client);
    if (catalog.majorVersion < OLDEST_MAJOR)
      throw new SnapshotError({ code: 'server_too_old', side: 'source' });
    const { rows } = await client.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id');
    return { catalog, snapshotId: rows[0]?.id ?? '', client, jobs: Math.max(1, clients.length - 1), release };
  } catch (cause) {
    await release();
    if (cause instanceof SnapshotError) throw cause;
    throw databaseError(cause, 'source');
  }
}

const OLDEST_MAJOR = 14;
const SESSION_WAIT_MS = 15_000;
