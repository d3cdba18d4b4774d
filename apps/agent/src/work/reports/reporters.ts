import {
  encodeRestoreEvent,
  encodeSnapshotEvent,
  encodeSyncJobEvent,
  type SentRestoreReport,
  type SyncJobReport,
} from '@understudy/agent-protocol';
import type { SnapshotEvent } from '@understudy/snapshot-engine';

import { JournaledReporter, type ReporterOptions } from './journaled-reporter.js';

export function syncJobReporter(options: ReporterOptions): JournaledReporter<SyncJobReport> {
  return new JournaledReporter(options, encodeSyncJobEvent);
}

type SnapshotReport = { readonly type: 'started' } | SnapshotEvent;

/** @param store the fingerprint of the store that keeps the snapshot */
export function snapshotReporter(options: ReporterOptions, store: string): JournaledReporter<SnapshotReport> {
  return new JournaledReporter<SnapshotReport>(options, (journalSeq, { body, ...event }) => {
    // The engine reports a snapshot without its store.
    const sent = body.type === 'ready' ? { ...body, made: { ...body.made, store } } : body;
    return encodeSnapshotEvent(journalSeq, { ...event, body: sent });
  });
}

export function restoreReporter(options: ReporterOptions): JournaledReporter<SentRestoreReport> {
  return new JournaledReporter(options, encodeRestoreEvent);
}
