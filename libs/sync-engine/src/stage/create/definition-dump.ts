import {
  type ConnectionTarget,
  TABLES_TO_LEAVE_OUT,
  DatabaseError,
  findPgTools,
  type PgToolLocations,
  quoteIdentifier,
  dumpSchema,
  type SchemaArchive,
} from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import type { Snapshot } from '../../source/snapshot.js';
import { type SyncFailureCode, SyncJobError } from '@understudy/sync-job';

export interface DefinitionDumpRequest {
  readonly snapshot: Snapshot;
  /** The oids of the tables whose definitions are needed. No other table is locked. `all`: the whole database. */
  readonly tables: readonly string[] | 'all';
  readonly source: ConnectionTarget;
  readonly sourceVersion: number;
  /** Whether to dump publications. */
  readonly withPublications?: boolean;
  readonly tools: PgToolLocations;
  readonly signal: AbortSignal;
}

/**
 * Dumps the source's definition with pg_dump. The constructor starts pg_dump, so that it runs concurrently with the
 * checks. The dump takes about as long as all checks together.
 */
export class DefinitionDump {
  private readonly ended = new AbortController();
  private readonly dumped: Promise<SchemaArchive>;

  constructor(request: DefinitionDumpRequest) {
    const signal = AbortSignal.any([request.signal, this.ended.signal]);
    this.dumped = dump({ ...request, signal });
    this.dumped.catch(() => undefined); // callers of `archive` get the error
  }

  /**
   * Returns the dump when it is complete.
   * @throws SyncJobError pg_dump_missing, pg_dump_too_old, pg_dump_failed, permission_denied, connection_lost,
   * snapshot_lost, database_error
   */
  archive(): Promise<SchemaArchive> {
    return this.dumped;
  }

  /** Stops the dump and removes its files. Always call it, also after an error. Never rejects. */
  async discard(): Promise<void> {
    this.ended.abort();
    await this.dumped.then((archive) => archive.remove()).catch(() => undefined);
  }
}

async function dump({
  snapshot,
  tables,
  source,
  sourceVersion,
  withPublications = false,
  signal,
  ...request
}: DefinitionDumpRequest): Promise<SchemaArchive> {
  const { client } = snapshot;
  const excluded = tables === 'all' ? [] : await exclusionsOfOthers(client, tables);
  const tools = await guard(client.context, () => findPgTools(request.tools, sourceVersion));
  try {
    const selection = [`--snapshot=${snapshot.id}`, ...excluded];
    return await dumpSchema({ tools, database: source, selection, withPublications, signal });
  } catch (cause) {
    if (cause instanceof DatabaseError)
      throw new SyncJobError({ code: cause.code, side: 'source' }, { cause });
    const stderr = String((cause as { stderr?: unknown }).stderr ?? '');
    const code = dumpFailureCode(stderr);
    throw new SyncJobError({ code, side: 'source' }, { cause });
  }
}

/** Returns options of pg_dump that exclude all other tables. */
async function exclusionsOfOthers(
  client: Snapshot['client'],
  tables: readonly string[],
): Promise<readonly string[]> {
  const leftOut = await client.query<{ schema: string; tables: string[] }>(TABLES_TO_LEAVE_OUT, [tables]);
  return leftOut.rows.flatMap(exclusions);
}

/** pg_dump runs one query for each pattern, and PostgreSQL limits the size of a regular expression. */
const MAX_NAMES = 400;

/** Returns options of pg_dump with patterns in psql's syntax, in which `|` separates names. */
function exclusions({ schema, tables }: { schema: string; tables: readonly string[] }): readonly string[] {
  const names = tables.map(quoteIdentifier);
  return Array.from({ length: Math.ceil(names.length / MAX_NAMES) }, (_, batch) => {
    const some = names.slice(batch * MAX_NAMES, (batch + 1) * MAX_NAMES);
    return `--exclude-table=${quoteIdentifier(schema)}.(${some.join('|')})`;
  });
}

/**
 * Derives a failure code from pg_dump's messages, because pg_dump reports no error codes. The messages are in
 * English, because pg_dump runs with the environment that `libpqEnvironment` returns.
 */
function dumpFailureCode(stderr: string): SyncFailureCode {
  if (stderr.includes('permission denied')) return 'permission_denied';
  // Names of settings are the same in every language of the server.
  if (stderr.includes('max_locks_per_transaction')) return 'locks_exhausted';
  if (/too many (clients|connections)|remaining connection slots/.test(stderr)) return 'sessions_exhausted';
  if (/server closed the connection|terminating connection|connection to server/.test(stderr)) {
    return 'connection_lost';
  }
  // These messages mean that the snapshot keeper has ended: "invalid snapshot identifier", and "could not
  // import the requested snapshot".
  return stderr.includes('snapshot identifier') || stderr.includes('requested snapshot')
    ? 'snapshot_lost'
    : 'database_error';
}
