import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  enumValue,
  SyncPhase,
  TableState,
  VerificationKind,
  WarningCode,
  type SyncJobEventSchema,
} from '@understudy/contract';
import type {
  LeftOut,
  Prediction,
  ProgressReport,
  SyncFailure,
  SyncJobResult,
  SyncWarning,
  TableProgress,
  Verification,
  VerificationCheck,
} from '@understudy/sync-job';

import { wireFailure, wireProblem } from './encode-failure.js';
import type { NumberedEvent } from './lease.js';
import { encodeEventMessage, fourWords, wireCount, type EncodedMessage } from './wire-values.js';

/** An event of a sync job, in the engine's types. */
export type SyncJobEventBody =
  | { readonly type: 'started' }
  | ({ readonly type: 'progress' } & ProgressReport)
  | {
      readonly type: 'model_trained';
      readonly tableIndex: number;
      readonly columnIndex: number;
      readonly hash: Uint8Array;
    }
  | ({ readonly type: 'completed'; readonly durationMs: number } & SyncJobResult)
  | { readonly type: 'predicted'; readonly prediction: Prediction }
  | { readonly type: 'failed'; readonly failure: SyncFailure };

export function encodeSyncJobEvent(
  journalSeq: number,
  { lease, seq, occurredAt, body }: NumberedEvent<SyncJobEventBody>,
): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, {
    case: 'syncJob',
    value: { jobId: lease.jobId, epoch: lease.epoch, seq, event: wireBody(body) },
  });
}

function wireBody(body: SyncJobEventBody): NonNullable<MessageInitShape<typeof SyncJobEventSchema>['event']> {
  switch (body.type) {
    case 'started':
      return { case: 'started', value: {} };
    case 'progress':
      return {
        case: 'progress',
        value: {
          tables: body.tables.map(wireProgress),
          phase: enumValue(SyncPhase, body.phase),
          rowsPerSecond: wireCount(body.rowsPerSecond),
          bytesPerSecond: wireCount(body.bytesPerSecond),
          ...(body.remainingMs === undefined ? {} : { remainingMs: wireCount(body.remainingMs) }),
        },
      };
    case 'model_trained': {
      const { tableIndex, columnIndex, hash } = body;
      return { case: 'modelTrained', value: { tableIndex, columnIndex, hash: fourWords(hash) } };
    }
    case 'completed':
      return {
        case: 'completed',
        value: {
          tables: body.tables.map(wireProgress),
          durationMs: wireCount(body.durationMs),
          warnings: body.warnings.map(wireWarning),
          phases: body.phases.map(({ phase, durationMs }) => ({
            phase: enumValue(SyncPhase, phase),
            durationMs: wireCount(durationMs),
          })),
          verification: wireVerification(body.verification),
          ...wireLeftOut(body.leftOut),
        },
      };
    case 'predicted': {
      const { failures, failureCount, tables, warnings, leftOut } = body.prediction;
      return {
        case: 'predicted',
        value: {
          failures: failures.map(wireJobFailure),
          failureCount,
          tables: tables.map(({ tableIndex, rows }) => ({ tableIndex, rows: BigInt(rows) })),
          warnings: warnings.map(wireWarning),
          ...wireLeftOut(leftOut),
        },
      };
    }
    case 'failed':
      return { case: 'failed', value: wireJobFailure(body.failure) };
  }
}

function wireWarning(warning: SyncWarning) {
  return { ...warning, code: enumValue(WarningCode, warning.code) };
}

function wireLeftOut(leftOut: LeftOut | undefined) {
  if (leftOut === undefined) return {};
  const { foreign_tables: foreignTables, materialized_views: materializedViews, ...others } = leftOut;
  return { leftOut: { ...others, foreignTables, materializedViews } };
}

function wireProgress({ tableIndex, state, ...counts }: TableProgress) {
  return {
    tableIndex,
    state: enumValue(TableState, state),
    rowsProcessed: wireCount(counts.rowsProcessed),
    rowsTotal: wireCount(counts.rowsTotal),
    bytesProcessed: wireCount(counts.bytesProcessed),
    bytesTotal: wireCount(counts.bytesTotal),
  };
}

function wireVerification({ checks }: Verification) {
  return { checks: checks.map(wireCheck) };
}

function wireCheck(check: VerificationCheck) {
  const { tableIndex, ok } = check;
  const kind = enumValue(VerificationKind, check.kind);
  if (check.kind === 'row_count') {
    const { source, copied, target } = check.rows;
    const rows = { source: wireCount(source), copied: wireCount(copied), target: wireCount(target) };
    return { kind, tableIndex, ok, rows };
  }
  const { lookedAt, columnIndex } = check;
  return { kind, tableIndex, ok, lookedAt, ...(columnIndex === undefined ? {} : { columnIndex }) };
}

function wireJobFailure(failure: SyncFailure) {
  const { columnIndex, verification, problems = [], problemCount = 0 } = failure;
  return {
    ...wireFailure(failure),
    ...(columnIndex === undefined ? {} : { columnIndex }),
    ...(verification === undefined ? {} : { verification: wireVerification(verification) }),
    problems: problems.map(wireProblem),
    problemCount,
  };
}
