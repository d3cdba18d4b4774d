import {
  type ConnectionTarget,
  UNREADABLE_RELATIONS,
  findPgTools,
  type PgToolPlaces,
  quoteTable,
  dumpSchema,
  type SchemaArchive,
} from '@understudy/postgres';
import { guard, type FailureContext } from '../../session/guard.js';
import type { Snapshot } from '../../source/snapshot.js';
import { type SyncFailureCode, SyncJobError } from '@understudy/sync-job';

export interface DefinitionDumpRequest {
  readonly snapshot: Snapshot;
  readonly source: ConnectionTarget;
  readonly sourceVersion: number;
  readonly tools: PgToolPlaces;
  readonly context: FailureContext;
  readonly signal: AbortSignal;
}

/** The source's definition by pg_dump. Begun as soon as the snapshot is held: it takes as long as all other checks together. */
export class DefinitionDump {
  private readonly ended = new AbortController();
  private readonly dumped: Promise<SchemaArchive>;

  constructor(request: DefinitionDumpRequest) {
    const signal = AbortSignal.any([request.signal, this.ended.signal]);
    this.dumped = dump({ ...request, signal });
    this.dumped.catch(() => undefined); // told to whoever asks for the archive
  }

  /** @throws SyncJobError pg_dump_missing, pg_dump_too_old, permission_denied, connection_lost, snapshot_lost, create_failed */
  archive(): Promise<SchemaArchive> {
    return this.dumped;
  }

  /** To be called in the end, also when nobody has asked for the archive. Never rejects; resolves when nothing of it is left. */
  async discard(): Promise<void> {
    this.ended.abort();
    await this.dumped.then((archive) => archive.remove()).catch(() => undefined);
  }
}

async function dump({
  snapshot,
  source,
  sourceVersion,
  context,
  signal,
  ...request
}: DefinitionDumpRequest): Promise<SchemaArchive> {
  const unreadable = await guard(context, () =>
    snapshot.client.query<{ schema: string; relation: string }>(UNREADABLE_RELATIONS),
  );
  const excluded = unreadable.rows.map(
    ({ schema, relation }) => `--exclude-table=${quoteTable({ schema, table: relation })}`,
  );
  const tools = await guard(context, () => findPgTools(request.tools, sourceVersion));
  try {
    const selection = [`--snapshot=${snapshot.id}`, ...excluded];
    return await dumpSchema({ tools, database: source, selection, signal });
  } catch (cause) {
    const stderr = String((cause as { stderr?: unknown }).stderr ?? '');
    const code = dumpFailureCode(stderr);
    throw new SyncJobError({ code, side: 'source' }, { cause });
  }
}

/** pg_dump says in words alone why it failed; in English, as its environment asks. */
function dumpFailureCode(stderr: string): SyncFailureCode {
  if (stderr.includes('permission denied')) return 'permission_denied';
  if (/server closed the connection|terminating connection|connection to server/.test(stderr)) {
    return 'connection_lost';
  }
  // Its keeper died in between: "invalid snapshot identifier", or "could not import the requested snapshot".
  return stderr.includes('snapshot identifier') || stderr.includes('requested snapshot')
    ? 'snapshot_lost'
    : 'create_failed';
}
