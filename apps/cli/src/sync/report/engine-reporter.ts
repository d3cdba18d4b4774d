import type { JobReporter } from '@understudy/sync-engine';
import {
  failureError,
  type JobEvent,
  type MessageSet,
  type Names,
  type Prediction,
  type SyncFailure,
  type Verification,
  warningsOf,
} from '@understudy/sync-job';
import { failureLines } from './failures.js';
import type { NamedCheck, PredictedRun, SyncReport } from './sync-report.js';

/** The result of a run of the engine. */
export type RunEnd =
  | {
      readonly kind: 'completed';
      readonly rows: Readonly<Record<string, number>>;
      /** Whether the database that the job has replaced is kept. */
      readonly isKept: boolean;
    }
  | { readonly kind: 'predicted'; readonly prediction: PredictedRun }
  | {
      readonly kind: 'failed';
      readonly failure: SyncFailure;
      readonly message: string;
      readonly mayResume: boolean;
    };

/**
 * Forwards the engine's reports to a SyncReport. Replaces the indexes of tables and columns, which the engine
 * reports, with their names.
 */
export class EngineReporter implements JobReporter {
  end: RunEnd | undefined;
  readonly confirmed = Promise.resolve();

  /** @param onEnd stores the result; after it resolves, the engine removes the job's staging tables from the target */
  constructor(
    private readonly output: SyncReport,
    private readonly names: Names,
    private readonly isStopped: () => boolean,
    private readonly onEnd: (end: RunEnd) => Promise<void>,
    private readonly messages: MessageSet,
  ) {}

  async report(event: JobEvent): Promise<void> {
    switch (event.type) {
      case 'progress':
        if (!this.isStopped()) this.output.progress(event);
        return;
      case 'model_trained': {
        const { tableIndex, columnIndex } = event;
        const column = this.names.column(tableIndex, columnIndex) ?? '';
        return this.output.trained(this.tableName(tableIndex), column);
      }
      case 'completed':
        return this.completed(event);
      case 'predicted':
        return this.predicted(event.prediction);
      case 'failed':
        return this.failed(event.failure, event.mayContinue ?? false);
    }
  }

  private async completed(result: Extract<JobEvent, { type: 'completed' }>): Promise<void> {
    const tables = result.tables.map((table) => ({ ...table, name: this.tableName(table.tableIndex) }));
    await this.ends({
      kind: 'completed',
      rows: Object.fromEntries(tables.map(({ name, rowsProcessed }) => [name, rowsProcessed])),
      isKept: result.keptHours !== undefined,
    });
    this.output.completed({
      durationMs: result.durationMs,
      tables,
      phases: result.phases,
      warnings: warningsOf(result.warnings, this.names, this.messages),
      checks: this.namedChecks(result.verification),
      leftOut: result.leftOut,
    });
  }

  private async predicted(found: Prediction): Promise<void> {
    const prediction = {
      problems: found.failures.map((failure) => failureError(failure, this.names, this.messages)),
      problemCount:
        found.failureCount -
        found.failures.length +
        sum(found.failures.map(({ problemCount = 1 }) => problemCount)),
      tables: found.tables.map(({ tableIndex, rows }) => ({ name: this.tableName(tableIndex), rows })),
      warnings: warningsOf(found.warnings, this.names, this.messages),
      leftOut: found.leftOut,
    };
    await this.ends({ kind: 'predicted', prediction });
    this.output.predicted(prediction);
  }

  private async failed(failure: SyncFailure, mayResume: boolean): Promise<void> {
    const error = failureError(failure, this.names, this.messages);
    const message = failureLines(failure, this.names, this.messages);
    await this.ends({ kind: 'failed', failure, message, mayResume });
    if (failure.code === 'cancelled' && this.isStopped()) return;
    const checks = failure.verification === undefined ? [] : this.namedChecks(failure.verification);
    this.output.failed({ ...error, checks, mayResume });
  }

  private async ends(end: RunEnd): Promise<void> {
    this.end = end;
    await this.onEnd(end);
  }

  private namedChecks({ checks }: Verification): readonly NamedCheck[] {
    return checks.map((check) => {
      const column =
        'columnIndex' in check ? this.names.column(check.tableIndex, check.columnIndex) : undefined;
      return {
        ...check,
        table: this.tableName(check.tableIndex),
        ...(column === undefined ? {} : { column }),
      };
    });
  }

  private tableName(index: number): string {
    return this.names.table(index) ?? '';
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
