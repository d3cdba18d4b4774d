import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotCounts, SnapshotPhase, SnapshotResult } from '@understudy/agent-protocol';
import { storedBytesOf, type ArchiveDraft, type ArchiveManifest } from '@understudy/snapshot-store';
import { findPgTools, libpqEnvironment, sqlName } from '@understudy/postgres';
import { ARCHIVE_FORMAT, ENTRIES_FILE, writeAttributes } from '../archive/archive-attributes.js';
import { DumpProgress } from '../postgres/dump-progress.js';
import { manifestHash } from '../archive/manifest-hash.js';
import { throttledProgress } from '../job/progress-throttle.js';
import { selectEntries } from './select-entries.js';
import { dumpDatabase, listEntries } from './dump-database.js';
import { openSource, type SourceSession } from './open-source.js';
import type { SourceTable } from './source-catalog.js';
import { archiveId, type CreateSnapshotCommand } from '../job/snapshot-command.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { reachServer } from '../job/reach-server.js';
import { SnapshotError } from '../job/snapshot-failure.js';
import type { SnapshotReporter } from '../job/snapshot-reporter.js';
import { withWorkingFolder } from '../job/working-folder.js';
import { chooseTables, oidsWithRows, type ChosenTable } from './choose-tables.js';
import { DumpFileUpload } from './dump-file-upload.js';

interface SnapshotAttempt {
  readonly command: CreateSnapshotCommand;
  readonly environment: SnapshotEnvironment;
  readonly source: SourceSession;
  readonly chosen: readonly ChosenTable[];
  readonly report: (phase: SnapshotPhase, counts: SnapshotCounts) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Archives a database as it is at one instant. Stores each file as soon as pg_dump has finished it. If this
 * function rejects, it has aborted the archive, so the snapshot cannot be restored.
 * @throws SnapshotError, DatabaseError, SnapshotStoreError, or the signal's reason
 */
export async function takeSnapshot(
  command: CreateSnapshotCommand,
  environment: SnapshotEnvironment,
  reporter: SnapshotReporter,
  signal: AbortSignal,
): Promise<SnapshotResult> {
  const { policy, store, workFolder } = environment;
  const report = throttledProgress<SnapshotPhase, SnapshotCounts>(reporter);
  await report('preflight', { tablesDone: 0, tablesTotal: 0, bytesDone: 0, bytesTotal: 0 });
  const target = policy.resolveDatabase(command.database, 'snapshot');
  const open = () => openSource(target, `understudy ${command.snapshotId}`, environment.connections);
  const source = await reachServer(command.epoch, open, environment, signal);
  try {
    const chosen = chooseTables(source.catalog.tables, command.tables);
    const id = archiveId(command.snapshotId, command.epoch);
    const attempt = { command, environment, source, chosen, report, signal };
    return await withWorkingFolder(workFolder, id, async (folder) => {
      const tools = await findPgTools(environment.tools, source.catalog.majorVersion);
      const variables = await libpqEnvironment(target, folder);
      const draft = await store.begin(id, { signal });
      try {
        await dumpIntoArchive(attempt, draft, { folder, tools, variables });
        return await finishArchive(attempt, draft);
      } catch (error) {
        await draft.abort();
        throw error;
      }
    });
  } finally {
    await source.release();
  }
}

interface DumpPrograms {
  readonly folder: string;
  readonly tools: { readonly dump: string; readonly restore: string };
  readonly variables: Readonly<Record<string, string>>;
}

async function dumpIntoArchive(
  attempt: SnapshotAttempt,
  draft: ArchiveDraft,
  { folder, tools, variables }: DumpPrograms,
): Promise<void> {
  const { command, environment, source, chosen, report, signal } = attempt;
  const { catalog, client, snapshotId } = source;
  const withRows = oidsWithRows(catalog.tables, chosen);
  const isWhole = command.tables.length === 0;
  const selectOf = isWhole
    ? undefined
    : await selectEntries(
        client,
        chosen.map(({ oid }) => oid),
      );
  // A whole database is dumped without exclusions, because pg_dump also dumps objects that this catalog query
  // does not list.
  const excluded = isWhole ? [] : catalog.tables.filter(({ oid }) => !withRows.has(oid));
  const progress = new DumpProgress(tablesWithRows(attempt));
  const dump = join(folder, 'dump');
  const files = new DumpFileUpload(dump, draft, () => environment.reached('file_stored'));
  await report('dumping', progress.counts);
  await environment.reached('dumping');
  try {
    await dumpDatabase({
      program: tools.dump,
      environment: variables,
      folder: dump,
      snapshotId,
      jobs: source.jobs,
      withoutRows: excluded.filter(({ readable }) => readable),
      withoutTables: excluded.filter(({ readable }) => !readable),
      signal: AbortSignal.any([signal, files.failed]),
      onLine: (line) => {
        const item = progress.read(line);
        if (item === undefined) return;
        files.upload(`${item}.dat.gz`);
        void report('dumping', progress.counts);
      },
    });
    if (selectOf !== undefined) {
      const lines = await listEntries({ program: tools.restore, folder: dump, signal });
      await writeFile(join(dump, ENTRIES_FILE), selectOf(lines).join('\n'));
    }
    await files.uploadRemaining();
    await environment.reached('all_files_stored');
    await report('finishing', progress.completed);
  } catch (error) {
    files.failed.throwIfAborted(); // a failed upload stops pg_dump, so the upload's error is the cause
    throw (await isAlive(source))
      ? error
      : new SnapshotError({ code: 'connection_lost', side: 'source' }, { cause: error });
  }
}

/** Selects the chosen tables that store rows. These include partitions, but not partitioned tables. */
function tablesWithRows({ source, chosen }: SnapshotAttempt): readonly SourceTable[] {
  const { tables } = source.catalog;
  const withRows = oidsWithRows(tables, chosen);
  return tables.filter(({ oid, isPartitioned }) => !isPartitioned && withRows.has(oid));
}

async function isAlive({ client }: SourceSession): Promise<boolean> {
  return client.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

async function finishArchive(attempt: SnapshotAttempt, draft: ArchiveDraft): Promise<SnapshotResult> {
  const { command, environment, source, chosen, signal } = attempt;
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
        dumped: tablesWithRows(attempt).map(({ name, bytes }) => ({ name, bytes })),
      }),
    },
    signal,
  );
  await environment.reached('snapshot_finished');
  return resultOf(manifest, attempt);
}

function resultOf(
  manifest: ArchiveManifest,
  { command, environment, source, chosen }: SnapshotAttempt,
): SnapshotResult {
  const [key] = environment.keys;
  if (key === undefined) throw new Error('the store has no key');
  const namesTables = environment.policy.reportsNames && command.tables.length === 0;
  return {
    sizeBytes: storedBytesOf(manifest),
    tableCount: chosen.length,
    tables: (namesTables ? chosen : []).flatMap((table) => {
      const [schema, name] = [sqlName(table.schema), sqlName(table.name)];
      return schema === undefined || name === undefined ? [] : [{ schema, name }];
    }),
    format: ARCHIVE_FORMAT,
    serverVersion: source.catalog.versionNumber,
    manifestHash: manifestHash(manifest, key),
  };
}
