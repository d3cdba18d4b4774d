import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestorePhase, SnapshotCounts } from '@understudy/agent-protocol';
import {
  applySettings,
  type ServerSession,
  withLockedTarget,
  withServerSession,
} from '@understudy/database-swap';
import type { ArchiveReader } from '@understudy/snapshot-store';
import { errorDetail, findPgTools, runInParallel, type ConnectionTarget } from '@understudy/postgres';
import { ENTRIES_FILE, readAttributes, type ArchiveAttributes } from '../archive/archive-attributes.js';
import { DumpProgress } from '../postgres/dump-progress.js';
import { hasManifestHash } from '../archive/manifest-hash.js';
import { throttledProgress } from '../job/progress-throttle.js';
import { inspectTarget, diskSpaceCheck, type RestoreMethod } from './inspect-target.js';
import { loadArchive, type LoadRequest } from './load-archive.js';
import { loadPublicPrivileges } from './load-public-privileges.js';
import { createRestoreDatabase, dropOtherAttempts } from './restore-database.js';
import { switchRestore } from './switch-restore.js';
import { reachServer } from '../job/reach-server.js';
import { archiveId, type RestoreSnapshotCommand } from '../job/snapshot-command.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { SnapshotError } from '../job/snapshot-failure.js';
import type { RestoreReporter } from '../job/snapshot-reporter.js';
import { withWorkingFolder } from '../job/working-folder.js';
import { fetchArchive } from './fetch-archive.js';
import { recordedTarget } from './recorded-target.js';
import { RecoveryRecords, type RestoreRecord } from './recovery-records.js';
import { dropEarlier } from './kept-databases.js';
import { finishReplacement, resolveRestore } from './resolve-restore.js';
import { restoreDatabaseNames, type RestoreDatabaseNames } from './restore-database-names.js';

export interface RestoreResult {
  readonly counts: SnapshotCounts;
  /** For how long the replaced database is kept, in hours. Absent if there is none, or it was dropped. */
  readonly keptHours?: number;
  /** True if a later change had replaced the target before the attempt began. */
  readonly isReplacedAgain?: boolean;
}

interface RestoreAttempt {
  readonly command: RestoreSnapshotCommand;
  readonly environment: SnapshotEnvironment;
  readonly target: ConnectionTarget;
  readonly archive: ArchiveReader;
  readonly attributes: ArchiveAttributes;
  readonly names: RestoreDatabaseNames;
  readonly progress: DumpProgress;
  readonly report: (phase: RestorePhase, counts: SnapshotCounts) => Promise<void>;
  readonly folder: string;
}

/**
 * Restores a snapshot. If this function rejects, the target is unchanged, unless the server became unreachable
 * during the switch. A recovery record lists any database that the attempt could not drop.
 * @throws SnapshotError, DatabaseError, DatabaseInUseError, SyncJobError, SnapshotStoreError, or the signal's reason
 */
export async function restoreSnapshot(
  command: RestoreSnapshotCommand,
  environment: SnapshotEnvironment,
  reporter: RestoreReporter,
  signal: AbortSignal,
): Promise<RestoreResult> {
  const { policy, store, log } = environment;
  const report = throttledProgress<RestorePhase, SnapshotCounts>(reporter);
  const target = policy.resolveDatabase(command.target, 'restore');
  const archive = await store.open(archiveId(command.snapshotId, command.snapshotEpoch), { signal });
  if (!hasManifestHash(archive.manifest, environment.keys, command.manifestHash))
    throw new SnapshotError({ code: 'snapshot_not_found' });
  const attributes = readAttributes(archive.manifest);
  const progress = new DumpProgress(attributes.dumped);
  await report('preflight', progress.counts);
  const { restoreId, epoch } = command;
  const isKept = command.overwrite && policy.keepReplacedMs > 0;
  const names = restoreDatabaseNames(target.database, restoreId, epoch, isKept);
  const restore = { command, environment, target, archive, attributes, names, progress, report };
  const name = `understudy ${restoreId.toLowerCase()} ${epoch}`;
  const reach = () => withServerSession(target, () => Promise.resolve());
  if (epoch > 1) await reachServer(epoch, reach, environment, signal);
  return withLockedTarget(target, { name, log, signal }, (session) =>
    restoreLocked(restore, session, signal),
  );
}

/** @param session the session that locks the target */
async function restoreLocked(
  restore: Omit<RestoreAttempt, 'folder'>,
  session: ServerSession,
  signal: AbortSignal,
): Promise<RestoreResult> {
  const { command, environment, target, archive, attributes, names, progress } = restore;
  const { restoreId, epoch, overwrite } = command;
  const { graceMs, workFolder, reached } = environment;
  await reached('target_locked');
  const request = {
    ...{ restoreId, target, manifest: archive.manifest, attributes, overwrite, graceMs, signal },
    ...{ ignores: 'none' as const, diskSpace: diskSpaceCheck(environment) },
  };
  const method = await inspectTarget(request, session);
  if (method.kind === 'restored') {
    await dropOtherAttempts(target, names.prefix);
    const isKept = await dropEarlier(target, restoreId, environment.log, false);
    const { isReplacedAgain } = method;
    return { counts: progress.completed, ...(isKept && keptFor(environment)), isReplacedAgain };
  }
  return withWorkingFolder(workFolder, `${restoreId}-${epoch}`, async (folder) => {
    const attempt = { ...restore, folder };
    let isKept = false;
    if (method.kind === 'in_place') await loadInPlace(attempt, signal);
    else isKept = await loadIntoNewDatabase(attempt, method, session, signal);
    return { counts: progress.completed, ...(isKept && keptFor(environment)) };
  });
}

function keptFor({ policy }: SnapshotEnvironment): Pick<RestoreResult, 'keptHours'> {
  return { keptHours: Math.round(policy.keepReplacedMs / HOUR_MS) };
}

const HOUR_MS = 3_600_000;

async function fetchAndVerify(
  { archive, progress, report, folder }: RestoreAttempt,
  signal: AbortSignal,
): Promise<void> {
  const { bytesTotal } = progress.counts;
  const stored = archive.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  await fetchArchive(archive, join(folder, 'dump'), signal, (more) => {
    read += more;
    void report('checking', { ...progress.counts, bytesDone: Math.round((bytesTotal * read) / stored) });
  });
}

async function loadInPlace(attempt: RestoreAttempt, signal: AbortSignal): Promise<void> {
  const { environment, target } = attempt;
  const [, program] = await runInParallel(signal, [
    (either) => fetchAndVerify(attempt, either),
    () => findPgRestore(attempt),
  ]);
  await environment.reached('archive_checked');
  await load(attempt, { program, target, jobs: 'one transaction', signal });
}

/**
 * Fetches the archive and concurrently creates a database. Loads the archive only after every byte has been
 * authenticated.
 * @returns whether the replaced database is kept
 */
async function loadIntoNewDatabase(
  attempt: RestoreAttempt,
  method: Extract<RestoreMethod, { kind: 'new_database' }>,
  session: ServerSession,
  signal: AbortSignal,
): Promise<boolean> {
  const { command, environment, target, attributes, names, progress, report } = attempt;
  const { existing, owner } = method;
  const { restoreId, epoch, overwrite } = command;
  const properties = existing?.properties ?? attributes.properties;
  const records = RecoveryRecords.ofRestores(environment.recordsFolder);
  const { keepReplacedMs: forMs } = environment.policy;
  const isKept = overwrite && forMs > 0 && existing !== undefined;
  const startedAtMs = environment.now();
  const counts = progress.completed;
  let record: RestoreRecord = {
    ...{ restoreId, epoch, ...recordedTarget(command, target), names, counts, startedAtMs },
    ...(isKept && { keeps: { oid: existing.oid, forMs } }),
  };
  const prepare = async () => {
    const program = await findPgRestore(attempt);
    await records.write(record);
    const oid = await createRestoreDatabase(target, names, { properties, owner });
    // The oid is recorded before the switch. A record with an oid means that the switch may have happened.
    record = { ...record, oid };
    await records.write(record);
    return program;
  };
  try {
    const [, program] = await runInParallel(signal, [(either) => fetchAndVerify(attempt, either), prepare]);
    await environment.reached('archive_checked');
    await environment.reached('restore_database_created');
    const { connections: jobs, graceMs } = environment;
    await load(attempt, { program, target: { ...target, database: names.loading }, jobs, signal });
    await environment.reached('loaded');
    await report('switching', counts);
    await applySettings(session.client, names.loading, {
      properties,
      owner: owner ?? target.user,
    });
    await environment.reached('before_switch');
    const request = { change: restoreId, existing, overwrite, graceMs, signal };
    await switchRestore(session, target, names, request);
  } catch (error) {
    // The switch may have been committed although its response was lost.
    const outcome = await resolveRestore(target, record, environment).catch((cause: unknown) => {
      environment.log.warn(
        { restoreId, detail: errorDetail(cause) },
        'a half-loaded database could not be dropped; the next start tries again',
      );
    });
    if (outcome !== 'restored') throw error;
    return dropEarlier(target, restoreId, environment.log, isKept);
  }
  await environment.reached('switched');
  // The restore is complete. Its record is kept until the replaced database is dropped.
  if (existing === undefined) await records.remove(record);
  else await finishReplacement(target, record, environment);
  const remains = await dropEarlier(target, restoreId, environment.log, isKept);
  await environment.reached('old_dropped');
  return remains;
}

async function findPgRestore({ environment, attributes }: RestoreAttempt): Promise<string> {
  const tools = await findPgTools(environment.tools, Math.floor(attributes.serverVersion / 10_000));
  return tools.restore;
}

async function load(
  { archive, progress, report, folder }: RestoreAttempt,
  how: Pick<LoadRequest, 'program' | 'target' | 'jobs' | 'signal'>,
): Promise<void> {
  const dump = join(folder, 'dump');
  const hasEntries = archive.manifest.files.some(({ name }) => name === ENTRIES_FILE);
  await report('loading', progress.counts);
  const source = { ...how, folder, dump, ...(hasEntries ? { entries: join(dump, ENTRIES_FILE) } : {}) };
  // A load in one transaction is all or nothing, so nothing may be loaded before it.
  if (how.jobs !== 'one transaction') await loadPublicPrivileges({ ...source, onLine: () => undefined });
  await loadArchive({
    ...source,
    onLine: (line) => {
      const item = progress.read(line);
      // The rows of an item are deleted from the disk as soon as they are loaded.
      if (item !== undefined) rm(join(dump, `${item}.dat.gz`), { force: true }).catch(() => undefined);
      void report('loading', progress.counts);
    },
  });
  // The sessions of pg_restore write to stderr at the same time, so the line that ends an item can be garbled.
  // The file of such an item is still there. If it cannot be removed now, it goes with the working folder.
  await rm(dump, { recursive: true, force: true }).catch(() => undefined);
}
