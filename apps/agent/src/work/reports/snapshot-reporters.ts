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
import { NumberedReports, type ReportsOptions } from './numbered-reports.js';

type Place = Omit<ReportsOptions<unknown>, 'encode'>;

/** Reports of a snapshot's making, numbered and journaled. */
export class JournaledSnapshotReporter implements SnapshotReporter {
  private readonly reports: NumberedReports<SnapshotEventBody>;

  constructor(
    place: Place,
    private readonly store: SnapshotStoreId,
  ) {
    this.reports = new NumberedReports({ ...place, encode: encodeSnapshotEvent });
  }

  get hasEnded(): boolean {
    return this.reports.hasEnded;
  }

  started(): Promise<void> {
    return this.reports.report({ type: 'started' });
  }

  progress(phase: SnapshotPhase, counts: SnapshotCounts): Promise<void> {
    if (this.reports.isBehind) return Promise.resolve();
    return this.reports.report({ type: 'progress', phase, counts });
  }

  ended(result: SnapshotResult & { readonly durationMs: number }): Promise<void> {
    return this.reports.report({ type: 'ready', ...result, store: this.store }, true);
  }

  failed(failure: SnapshotFailure): Promise<void> {
    return this.reports.report({ type: 'failed', failure: this.reports.abortFailure ?? failure }, true);
  }
}

/** Reports of a restore, numbered and journaled. */
export class JournaledRestoreReporter implements RestoreReporter {
  private readonly reports: NumberedReports<RestoreEventBody>;

  constructor(place: Place) {
    this.reports = new NumberedReports({ ...place, encode: encodeRestoreEvent });
  }

  get hasEnded(): boolean {
    return this.reports.hasEnded;
  }

  started(): Promise<void> {
    return this.reports.report({ type: 'started' });
  }

  progress(phase: RestorePhase, counts: SnapshotCounts): Promise<void> {
    if (this.reports.isBehind) return Promise.resolve();
    return this.reports.report({ type: 'progress', phase, counts });
  }

  ended({ counts, durationMs }: { counts: SnapshotCounts; durationMs: number }): Promise<void> {
    return this.reports.report({ type: 'completed', counts, durationMs }, true);
  }

  isKnown(): Promise<boolean> {
    return this.reports.isKnown();
  }

  failed(failure: SnapshotFailure): Promise<void> {
    return this.reports.report({ type: 'failed', failure: this.reports.abortFailure ?? failure }, true);
  }
}
