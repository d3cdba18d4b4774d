import {
  encodeRestoreEvent,
  encodeSnapshotEvent,
  type RestorePhase,
  type SentRestoreReport,
  type SentSnapshotReport,
  type SnapshotCounts,
  type SnapshotFailure,
  type SnapshotPhase,
  type SnapshotResult,
} from '@understudy/agent-protocol';
import type { RestoreReporter, SnapshotReporter } from '@understudy/snapshot-engine';

import { JournaledReporter, type ReporterOptions } from './journaled-reporter.js';

export class JournaledSnapshotReporter
  extends JournaledReporter<SentSnapshotReport, SnapshotFailure>
  implements SnapshotReporter
{
  constructor(
    options: ReporterOptions,
    private readonly store: string,
  ) {
    super(options, encodeSnapshotEvent);
  }

  progress(phase: SnapshotPhase, counts: SnapshotCounts): Promise<void> {
    return this.reportProgress({ type: 'progress', phase, counts });
  }

  ended(result: SnapshotResult & { readonly durationMs: number }): Promise<void> {
    return this.report({ type: 'ready', made: { ...result, store: this.store } }, true);
  }
}

export class JournaledRestoreReporter
  extends JournaledReporter<SentRestoreReport, SnapshotFailure>
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
