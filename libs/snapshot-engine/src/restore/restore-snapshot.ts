import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { OpenArchive } from '@understudy/snapshot-store';
import { errorDetail, findPgTools, type ConnectionTarget } from '@understudy/sync-engine';
import { ENTRIES_FILE, readAttributes, type ArchiveAttributes } from '../archive-attributes.js';
import { DumpProgress } from '../dump-progress.js';
import { hasManifestHash } from '../manifest-hash.js';
import { OnceASecond } from '../once-a-second.js';
import { inspectTarget, type RestoreWay } from '../postgres/inspect-target.js';
import { loadArchive } from '../postgres/load-archive.js';
import {
  createUnderstudy,
  dressUnderstudy,
  dropOtherAttempts,
  dropUnderstudy,
  switchDatabases,
} from '../postgres/understudy-database.js';
import { archiveId, type RestoreSnapshotCommand } from '../snapshot-command.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { SnapshotError } from '../snapshot-failure.js';
import type { RestorePhase, RestoreReporter, SnapshotCounts } from '../snapshot-reporter.js';
import { inWorkingFolder } from '../working-folder.js';
import { fetchArchive } from './fetch-archive.js';
import { type RestoreNote, RestoreNotes } from './restore-note.js';
import { finishReplacement } from './settle-restore.js';
import { understudyNames } from './understudy-names.js';

interface Restoring {
  readonly command: RestoreSnapshotCommand;
  readonly environment: SnapshotEnvironment;
  readonly target: ConnectionTarget;
  readonly archive: OpenArchive;
  readonly attributes: ArchiveAttributes;
  readonly progress: DumpProgress;
  readonly tell: (phase: RestorePhase, counts: SnapshotCounts) => Promise<void>;
  readonly signal: AbortSignal;
  readonly folder: string;
}

/**
 * Restores a snapshot: when this resolves its target holds it; when it rejects the target is as it was, and nothing of the attempt is left
 * that a note does not name.
 * @throws SnapshotError, SyncJobError, SnapshotStoreError, or the signal's reason
 */
export async function restoreSnapshot(
  command: RestoreSnapshotCommand,
  environment: SnapshotEnvironment,
  reporter: Pick<RestoreReporter, 'progress'>,
  signal: AbortSignal,
): Promise<SnapshotCounts> {
  const { policy, store, workFolder, now } = environment;
  const pacer = new OnceASecond(reporter.progress.bind(reporter), now);
  const tell = pacer.tell.bind(pacer);
  const target = policy.resolveDatabase(command.target, 'restore');
  const archive = await store.open(archiveId(command.snapshotId, command.snapshotEpoch), { signal });
  if (!hasManifestHash(archive.manifest, environment.keys, command.manifestHash))
    throw new SnapshotError({ code: 'snapshot_not_found' });
  const attributes = readAttributes(archive.manifest);
  const progress = new DumpProgress(attributes.dumped);
  await tell('preflight', progress.counts);
  const way = await inspectTarget({
    target,
    manifest: archive.manifest,
    attributes,
    overwrite: command.overwrite,
    graceMs: environment.graceMs,
    signal,
  });
  return inWorkingFolder(workFolder, `${command.restoreId}-${command.epoch}`, async (folder) => {
    const restoring = { command, environment, target, archive, attributes, progress, tell, signal, folder };
    await check(restoring);
    if (way.kind === 'in_place') await load(restoring, target, 'one transaction');
    else await loadBeside(restoring, way);
    return progress.completed;
  });
}

async function check({ archive, environment, progress, tell, signal, folder }: Restoring): Promise<void> {
  const { bytesTotal } = progress.counts;
  const stored = archive.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  await fetchArchive(archive, join(folder, 'dump'), signal, (more) => {
    read += more;
    void tell('checking', { ...progress.counts, bytesDone: Math.round((bytesTotal * read) / stored) });
  });
  await environment.reached('archive_checked');
}

async function loadBeside(restoring: Restoring, way: Extract<RestoreWay, { kind: 'beside' }>): Promise<void> {
  const { command, environment, target, attributes, progress, tell, signal } = restoring;
  const properties = way.existing?.properties ?? attributes.properties;
  const names = understudyNames(target.database, command.restoreId, command.epoch);
  const understudy = { target, ...names };
  const notes = new RestoreNotes(environment.workFolder);
  const { restoreId, epoch, sealedTarget } = command;
  const startedAtMs = environment.now();
  const note: RestoreNote = {
    restoreId,
    epoch,
    sealedTarget,
    names,
    counts: progress.completed,
    startedAtMs,
  };
  await notes.write(note);
  try {
    signal.throwIfAborted();
    await dropOtherAttempts(target, names.stem);
    const oid = await createUnderstudy(understudy, properties, way.owner);
    await environment.reached('understudy_created');
    await load(restoring, { ...target, database: names.loading }, environment.connections);
    await environment.reached('loaded');
    await tell('switching', progress.completed);
    await dressUnderstudy(understudy, properties, way.owner);
    await notes.write({ ...note, oid });
    await environment.reached('before_switch');
    await switchDatabases(understudy, oid, {
      existing: way.existing,
      overwrite: command.overwrite,
      graceMs: environment.graceMs,
      signal,
    });
  } catch (error) {
    await dropUnderstudy(target, names.loading)
      .then(() => notes.remove(note))
      .catch((cause: unknown) =>
        logger.warn({ restoreId, detail: errorDetail(cause) }, 'a half-loaded database is left for now'),
      );
    throw error;
  }
  await environment.reached('switched');
  // It is done whatever becomes of the old one; its note stays until that is dropped.
  await finishReplacement(target, { ...note }, notes);
  await environment.reached('old_dropped');
}

async function load(
  restoring: Restoring,
  database: ConnectionTarget,
  jobs: number | 'one transaction',
): Promise<void> {
  const { archive, attributes, environment, progress, tell, signal, folder } = restoring;
  const tools = await findPgTools(environment.tools, Math.floor(attributes.serverVersion / 10_000));
  const dump = join(folder, 'dump');
  const hasEntries = archive.manifest.files.some(({ name }) => name === ENTRIES_FILE);
  await tell('loading', progress.counts);
  await loadArchive({
    program: tools.restore,
    target: database,
    folder,
    dump,
    ...(hasEntries ? { entries: join(dump, ENTRIES_FILE) } : {}),
    jobs,
    signal,
    onLine: (line) => {
      progress.read(line);
      void tell('loading', progress.counts);
    },
  });
}

const logger = new Logger('RestoreSnapshot');
