import { encodeSyncJobEvent, type SyncJobReport } from '@understudy/agent-protocol';
import type { JobReporter } from '@understudy/sync-engine';
import type { Prediction, ProgressReport, SyncFailure, SyncJobResult } from '@understudy/sync-job';

import { JournaledReporter, type ReporterOptions } from './journaled-reporter.js';

/** Reports the events of one sync job. The last event is `completed`, `predicted` or `failed`. */
export class JournaledSyncJobReporter
  extends JournaledReporter<SyncJobReport, SyncFailure>
  implements JobReporter
{
  constructor(options: ReporterOptions) {
    super(options, encodeSyncJobEvent);
  }

  get confirmed(): Promise<void> {
    return this.acknowledged;
  }

  progress(report: ProgressReport): Promise<void> {
    return this.reportProgress({ type: 'progress', ...report });
  }

  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void> {
    const hex = Buffer.from(hash).toString('hex');
    return this.report({ type: 'model_trained', tableIndex, columnIndex, hash: hex });
  }

  completed(result: SyncJobResult & { readonly durationMs: number }): Promise<void> {
    return this.report({ type: 'completed', ...result }, true);
  }

  predicted(prediction: Prediction): Promise<void> {
    return this.report({ type: 'predicted', prediction }, true);
  }
}
