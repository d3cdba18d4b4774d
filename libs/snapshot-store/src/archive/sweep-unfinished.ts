import type { ArchivePlace, Body } from '../place/archive-place.js';
import { attemptOf, LARGEST_MANIFEST_BYTES } from './manifest-envelope.js';

export interface SweepOptions {
  /**
   * Bodies to which something was written at this instant or later are left alone: another agent may be making them. Of a file on its way into
   * a bucket shows when it was begun alone, so it should be further back than the longest file takes.
   */
  readonly olderThan: Date;
  /** Archives that are known to be in the making elsewhere. */
  readonly except?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Removes bodies that belong to no archive. @returns how many */
export async function sweepUnfinished(
  place: ArchivePlace,
  isInTheMaking: (body: Body) => boolean,
  options: SweepOptions,
): Promise<number> {
  const signal = options.signal ?? new AbortController().signal;
  let removed = 0;
  for await (const body of place.bodies(undefined, signal)) {
    if (isInTheMaking(body) || options.except?.has(body.archiveId)) continue;
    const changed = await place.lastChange(body, signal);
    if (changed === undefined || changed >= options.olderThan) continue;
    if (await mayBeNeeded(place, body, signal)) continue;
    await place.discard(body, signal);
    removed += 1;
  }
  return removed;
}

/** The last look before the removal. A manifest that is damaged does not say which body is its own, so all are kept. */
async function mayBeNeeded(place: ArchivePlace, body: Body, signal: AbortSignal): Promise<boolean> {
  const manifest = await place.manifest(body.archiveId, LARGEST_MANIFEST_BYTES, signal);
  if (manifest === undefined) return false;
  const attempt = attemptOf(manifest);
  return attempt === undefined || attempt === body.attempt;
}
