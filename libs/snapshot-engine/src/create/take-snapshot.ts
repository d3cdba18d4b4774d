import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedBytesOf, type ArchiveDraft, type ArchiveManifest } from '@understudy/snapshot-store';
import { findPgTools, libpqEnvironment, sqlName } from '@understudy/sync-engine';
import { ARCHIVE_FORMAT, ENTRIES_FILE, writeAttributes } from '../archive-attributes.js';
import { DumpProgress } from '../dump-progress.js';
import { manifestHash } from '../manifest-hash.js';
import { OnceASecond } from '../once-a-second.js';
import { chosenEntries } from '../postgres/chosen-entries.js';
import { dumpDatabase, listEntries } from '../postgres/dump-database.js';
import { holdSource, type HeldSource } from '../postgres/hold-source.js';
import type { SourceTable } from '../postgres/source-catalog.js';
import { archiveId, type CreateSnapshotCommand } from '../snapshot-command.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { SnapshotError } from '../snapshot-failure.js';
import type {
  SnapshotCounts,
  SnapshotPhase,
  SnapshotReporter,
  SnapshotResult,
} from '../snapshot-reporter.js';
import { inWorkingFolder } from '../working-folder.js';
import { chooseTables, oidsWithRows, type ChosenTable } from './choose-tables.js';
import { FinishedFiles } from './finished-files.js';

/** What an attempt is made with. */
interface Making {
  readonly command: CreateSnapshotCommand;
  readonly environment: SnapshotEnvironment;
  readonly source: HeldSource;
  readonly chosen: readonly ChosenTable[];
  readonly tell: (phase: SnapshotPhase, counts: SnapshotCounts) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Makes one snapshot: it is there, whole, when this resolves, and nothing of it when it rejects. The database is read in one consistent
 * view; files go into the store as pg_dump finishes them.
 * @throws SnapshotError, SyncJobError, SnapshotStoreError, or the signal's reason
 */
export async function takeSnapshot(
  command: CreateSnapshotCommand,
  environment: SnapshotEnvironment,
  reporter: Pick<SnapshotReporter, 'progress'>,
  signal: AbortSignal,
): Promise<SnapshotResult> {
  const { policy, store, workFolder, now } = environment;
  const progress = new OnceASecond(reporter.progress.bind(reporter), now);
  const tell = progress.tell.bind(progress);
  await tell('preflight', { tablesDone: 0, tablesTotal: 0, bytesDone: 0, bytesTotal: 0 });
  const target = policy.resolveDatabase(command.database, 'snapshot');
  const source = await holdSource(target, `understudy ${command.snapshotId}`);
  try {
    const chosen = chooseTables(source.catalog.tables, command.tables);
    const id = archiveId(command.snapshotId, command.epoch);
    const making = { command, environment, source, chosen, tell, signal };
    return await inWorkingFolder(workFolder, id, async (folder) => {
      const tools = await findPgTools(environment.tools, source.catalog.majorVersion);
      const variables = await libpqEnvironment(target, folder);
      const draft = await store.begin(id, { signal });
      try {
        await fill(making, draft, { folder, tools, variables });
        return await finish(making, draft);
      } catch (error) {
        await draft.abort();
        throw error;
      }
    });
  } finally {
    await source.release();
  }
}

interface Programs {
  readonly folder: string;
  readonly tools: { readonly dump: string; readonly restore: string };
  readonly variables: Readonly<Record<string, string>>;
}

async function fill(
  making: Making,
  draft: ArchiveDraft,
  { folder, tools, variables }: Programs,
): Promise<void> {
  const { command, environment, source, chosen, tell, signal } = making;
  const { catalog, client, snapshotId } = source;
  const withRows = oidsWithRows(catalog.tables, chosen);
  const isWhole = command.tables.length === 0;
  const entriesOf = isWhole
    ? undefined
    : await chosenEntries(
        client,
        chosen.map(({ oid }) => oid),
      );
  // Of a whole database nothing is left out by name: what this catalog query does not see is pg_dump's to find.
  const left = isWhole ? [] : catalog.tables.filter(({ oid }) => !withRows.has(oid));
  const progress = new DumpProgress(tablesWithRows(making));
  const dump = join(folder, 'dump');
  const files = new FinishedFiles(dump, draft, () => environment.reached('file_stored'));
  await tell('dumping', progress.counts);
  await environment.reached('dumping');
  try {
    await dumpDatabase({
      program: tools.dump,
      environment: variables,
      folder: dump,
      snapshotId,
      jobs: environment.connections,
      withoutRows: left.filter(({ readable }) => readable),
      withoutTables: left.filter(({ readable }) => !readable),
      signal: AbortSignal.any([signal, files.failed]),
      onLine: (line) => {
        const item = progress.read(line);
        if (item === undefined) return;
        files.finished(`${item}.dat.gz`);
        void tell('dumping', progress.counts);
      },
    });
    if (entriesOf !== undefined) {
      const lines = await listEntries({ program: tools.restore, folder: dump, signal });
      await writeFile(join(dump, ENTRIES_FILE), entriesOf(lines).join('\n'));
    }
    await files.all();
    await environment.reached('all_files_stored');
    await tell('finishing', progress.completed);
  } catch (error) {
    files.failed.throwIfAborted(); // whatever pg_dump said, it was ended because of this
    throw (await isAlive(source))
      ? error
      : new SnapshotError({ code: 'connection_lost', side: 'source' }, { cause: error });
  }
}

/** Those that hold rows themselves: partitions, and not their parents. */
function tablesWithRows({ source, chosen }: Making): readonly SourceTable[] {
  const { tables } = source.catalog;
  const withRows = oidsWithRows(tables, chosen);
  return tables.filter(({ oid, isPartitioned }) => !isPartitioned && withRows.has(oid));
}

async function isAlive({ client }: HeldSource): Promise<boolean> {
  return client.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

async function finish(making: Making, draft: ArchiveDraft): Promise<SnapshotResult> {
  const { command, environment, source, chosen, signal } = making;
  const { catalog } = source;
  const { properties, roles, tablespaces, systemIdentifier, databaseOid, versionNumber } = catalog;
  const manifest = await draft.finish(
    {
      createdAt: command.acceptedAt,
      expiresAt: command.expiresAt,
      database: catalog.database,
      serverVersion: catalog.serverVersion,
      tables: chosen.map(({ schema, name, bytes }) => ({ schema, name, bytes })),
      attributes: writeAttributes({
        takenAtMs: environment.now(),
        systemIdentifier,
        databaseOid,
        serverVersion: versionNumber,
        chosen: command.tables.length > 0,
        properties,
        roles,
        tablespaces,
        dumped: tablesWithRows(making).map(({ name, bytes }) => ({ name, bytes })),
      }),
    },
    signal,
  );
  await environment.reached('snapshot_finished');
  return resultOf(manifest, making);
}

function resultOf(
  manifest: ArchiveManifest,
  { command, environment, source, chosen }: Making,
): SnapshotResult {
  const [key] = environment.keys;
  if (key === undefined) throw new Error('a store without a key');
  const told = environment.policy.reportsNames && command.tables.length === 0;
  return {
    sizeBytes: storedBytesOf(manifest),
    tableCount: chosen.length,
    tables: (told ? chosen : []).flatMap((table) => {
      const [schema, name] = [sqlName(table.schema), sqlName(table.name)];
      return schema === undefined || name === undefined ? [] : [{ schema, name }];
    }),
    format: ARCHIVE_FORMAT,
    serverVersion: source.catalog.versionNumber,
    manifestHash: manifestHash(manifest, key),
  };
}
