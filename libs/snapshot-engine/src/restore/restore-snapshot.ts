import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { ArchiveReader } from '@understudy/snapshot-store';
import { errorDetail, findPgTools, type ConnectionTarget } from '@understudy/sync-engine';
import { ENTRIES_FILE, readAttributes, type ArchiveAttributes } from '../archive-attributes.js';
import { DumpProgress } from '../dump-progress.js';
import { hasManifestHash } from '../manifest-hash.js';
import { OnceASecond } from '../once-a-second.js';
import { inspectTarget, roomToKeep, type RestoreWay } from '../postgres/inspect-target.js';
import { loadArchive, type LoadRequest } from '../postgres/load-archive.js';
import { withServerSession } from '../postgres/server-session.js';
import {
  createUnderstudy,
  dressUnderstudy,
  dropOtherAttempts,
  dropUnderstudy,
  SESSION_NAME,
  switchDatabases,
} from '../postgres/understudy-database.js';
import { archiveId, type RestoreSnapshotCommand } from '../snapshot-command.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { SnapshotError } from '../snapshot-failure.js';
import type { RestorePhase, RestoreReporter, SnapshotCounts } from '../snapshot-reporter.js';
import { inWorkingFolder } from '../working-folder.js';
import { fetchArchive } from './fetch-archive.js';
import { Notes, type RestoreNote } from './restore-note.js';
import { adoptKept } from './kept-databases.js';
import { finishReplacement } from './settle-restore.js';
import { together } from './together.js';
import { understudyNames, type UnderstudyNames } from './understudy-names.js';

interface Restoring {
  readonly command: RestoreSnapshotCommand;
  readonly environment: SnapshotEnvironment;
  readonly target: ConnectionTarget;
  readonly archive: ArchiveReader;
  readonly attributes: ArchiveAttributes;
  readonly names: UnderstudyNames;
  readonly progress: DumpProgress;
  readonly tell: (phase: RestorePhase, counts: SnapshotCounts) => Promise<void>;
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
    restoreId: command.restoreId,
    target,
    manifest: archive.manifest,
    attributes,
    overwrite: command.overwrite,
    graceMs: environment.graceMs,
    room: roomToKeep(environment),
    signal,
  });
  const isKept = command.overwrite && policy.keepReplacedMs > 0;
  const names = understudyNames(target.database, command.restoreId, command.epoch, isKept);
  if (way.kind === 'restored') {
    await dropOtherAttempts(target, names.stem);
    await adoptKept(target, command, environment);
    return progress.completed;
  }
  return inWorkingFolder(workFolder, `${command.restoreId}-${command.epoch}`, async (folder) => {
    const restoring = { command, environment, target, archive, attributes, names, progress, tell, folder };
    if (way.kind === 'in_place') await loadInPlace(restoring, signal);
    else await loadBeside(restoring, way, signal);
    return progress.completed;
  });
}

async function check({ archive, progress, tell, folder }: Restoring, signal: AbortSignal): Promise<void> {
  const { bytesTotal } = progress.counts;
  const stored = archive.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  await fetchArchive(archive, join(folder, 'dump'), signal, (more) => {
    read += more;
    void tell('checking', { ...progress.counts, bytesDone: Math.round((bytesTotal * read) / stored) });
  });
}

async function loadInPlace(restoring: Restoring, signal: AbortSignal): Promise<void> {
  const { environment, target } = restoring;
  const [, program] = await together(
    signal,
    (either) => check(restoring, either),
    () => findProgram(restoring),
  );
  await environment.reached('archive_checked');
  await load(restoring, { program, target, jobs: 'one transaction', signal });
}

/** The database to load is made while the archive is read: nothing comes into it before every byte was authenticated. */
async function loadBeside(
  restoring: Restoring,
  way: Extract<RestoreWay, { kind: 'beside' }>,
  signal: AbortSignal,
): Promise<void> {
  const { command, environment, target, attributes, names, progress, tell } = restoring;
  const { existing, owner } = way;
  const { restoreId, epoch, sealedTarget, overwrite } = command;
  const understudy = { target, ...names };
  const dress = { restoreId, owner, properties: existing?.properties ?? attributes.properties };
  const notes = Notes.ofRestores(environment.notesFolder);
  const { keepReplacedMs: forMs } = environment.policy;
  const isKept = overwrite && forMs > 0 && existing !== undefined;
  const startedAtMs = environment.now();
  const counts = progress.completed;
  const note: RestoreNote = {
    ...{ restoreId, epoch, sealedTarget, names, counts, startedAtMs },
    ...(isKept && { keeps: { oid: existing.oid, forMs } }),
  };
  const prepare = async () => {
    const program = await findProgram(restoring);
    await notes.write(note);
    const oid = await createUnderstudy(understudy, names.stem, dress);
    // Before it can be switched in: that it may be is all that the note says.
    await notes.write({ ...note, oid });
    return { program, oid };
  };
  try {
    const [, { program, oid }] = await together(signal, (either) => check(restoring, either), prepare);
    await environment.reached('archive_checked');
    await environment.reached('understudy_created');
    const { connections: jobs, graceMs } = environment;
    await load(restoring, { program, target: { ...target, database: names.loading }, jobs, signal });
    await environment.reached('loaded');
    await tell('switching', counts);
    await withServerSession(target, SESSION_NAME, async (session) => {
      await dressUnderstudy(session, understudy, dress);
      await environment.reached('before_switch');
      await switchDatabases(session, understudy, oid, { existing, overwrite, graceMs, signal });
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
  // It is done whatever becomes of the old one; its note stays until that is dropped, or another note says when.
  if (existing === undefined) await notes.remove(note);
  else await finishReplacement(target, note, environment);
  await environment.reached('old_dropped');
}

async function findProgram({ environment, attributes }: Restoring): Promise<string> {
  const tools = await findPgTools(environment.tools, Math.floor(attributes.serverVersion / 10_000));
  return tools.restore;
}

async function load(
  { archive, progress, tell, folder }: Restoring,
  how: Pick<LoadRequest, 'program' | 'target' | 'jobs' | 'signal'>,
): Promise<void> {
  const dump = join(folder, 'dump');
  const hasEntries = archive.manifest.files.some(({ name }) => name === ENTRIES_FILE);
  const removed: Promise<void>[] = [];
  await tell('loading', progress.counts);
  await loadArchive({
    ...how,
    folder,
    dump,
    ...(hasEntries ? { entries: join(dump, ENTRIES_FILE) } : {}),
    onLine: (line) => {
      const item = progress.read(line);
      // Rows lie on the disk until they are loaded, and no longer.
      if (item !== undefined) removed.push(rm(join(dump, `${item}.dat.gz`), { force: true }));
      void tell('loading', progress.counts);
    },
  });
  await Promise.allSettled(removed); // what could not be removed goes with the folder
}

const logger = new Logger('RestoreSnapshot');
