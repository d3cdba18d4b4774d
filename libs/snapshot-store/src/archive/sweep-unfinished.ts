import type { ArchiveAttempt } from '../storage/archive-attempt.js';
import type { StorageBackend } from '../storage/storage-backend.js';
import { attemptIdOf, MAX_MANIFEST_BYTES } from './manifest-envelope.js';

export interface SweepOptions {
  /**
   * Attempts that were changed at this time or later are kept, because another agent may be writing them. For a
   * file that is being uploaded to a bucket, only the start of the upload is known. Choose a time before the
   * start of the longest upload that may be running.
   */
  readonly olderThan: Date;
  /** Ids of archives that other agents are known to be writing. */
  readonly except?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Removes attempts that belong to no archive. @returns the number of removed attempts */
export async function sweepUnfinished(
  backend: StorageBackend,
  isInProgress: (attempt: ArchiveAttempt) => boolean,
  options: SweepOptions,
): Promise<number> {
  const signal = options.signal ?? new AbortController().signal;
  let removed = 0;
  for await (const attempt of backend.listAttempts(undefined, signal)) {
    if (isInProgress(attempt) || options.except?.has(attempt.archiveId)) continue;
    const changed = await backend.lastChange(attempt, signal);
    if (changed === undefined || changed >= options.olderThan) continue;
    if (await belongsToArchive(backend, attempt, signal)) continue;
    await backend.removeAttempt(attempt, signal);
    removed += 1;
  }
  return removed;
}

/**
 * Checks whether the archive's manifest contains the id of this attempt. Also returns true if the manifest is
 * damaged, because the intact manifest may have contained this id.
 */
async function belongsToArchive(
  backend: StorageBackend,
  attempt: ArchiveAttempt,
  signal: AbortSignal,
): Promise<boolean> {
  const manifest = await backend.readManifest(attempt.archiveId, MAX_MANIFEST_BYTES, signal);
  if (manifest === undefined) return false;
  const attemptId = attemptIdOf(manifest);
  return attemptId === undefined || attemptId === attempt.attemptId;
}
