import type {
  RestorePhase,
  RestoreReporter,
  SnapshotCounts,
  SnapshotFailure,
  SnapshotPhase,
  SnapshotReporter,
  SnapshotResult,
} from '@understudy/snapshot-engine';

import {
  encodeRestoreEvent,
  encodeSnapshotEvent,
  type RestoreEventBody,
  type SnapshotEventBody,
} from '../../wire/encode-snapshot-event.js';
import type { SnapshotStoreId } from '../../wire/heartbeat.js';
import { JournaledReporter, type ReporterOptions } from './journaled-reporter.js';

export class JournaledSnapshotReporter
  extends JournaledReporter<SnapshotEventBody, SnapshotFailure>
  implements SnapshotReporter
{
  constructor(
    options: ReporterOptions,
    private readonly store: SnapshotStoreId,
  ) {
    super(options, encodeSnapshotEvent);
  }

  progress(phase: SnapshotPhase, counts: SnapshotCounts): Promise<void> {
    return this.reportProgress({ type: 'progress', phase, counts });
  }

  ended(result: SnapshotResult & { readonly durationMs: number }): Promise<void> {
    return this.report({ type: 'ready', ...result, store: this.store }, true);
  }
}

export class JournaledRestoreReporter
  extends JournaledReporter<RestoreEventBody, SnapshotFailure>
  implements RestoreReporter
{
  constructor(options: ReporterOptions) {
    super(options, encodeRestoreEvent);
  }

  progress(phase: RestorePhase, counts: SnapshotCounts): Promise<void> {
    return this.reportProgress({ type: 'progress', phase, counts });
  }

  ended({ counts, durationMs }: { counts: SnapshotCounts; durationMs: number }): Promise<void> {
    return this.report({ type: 'completed', counts, durationMs }, true);
  }
}
