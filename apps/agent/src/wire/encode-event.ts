import { create, toBinary, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  EventSchema,
  ModelHashSchema,
  SyncJobCompletedSchema,
  SyncJobEventSchema,
  SyncJobFailedSchema,
  SyncJobModelTrainedSchema,
  SyncJobPredictedSchema,
  SyncJobProgressSchema,
  SyncJobStartedSchema,
  TableProgressSchema,
  SyncPhase,
  TableState,
  VerificationKind,
  VerificationSchema,
  WarningCode,
  type ModelHash,
  type SyncJobEvent,
} from '@understudy/contract';
import type {
  Prediction,
  ProgressReport,
  SyncFailure,
  SyncJobResult,
  SyncPhase as SyncPhaseName,
  SyncWarning,
  TableProgress,
  Verification,
  VerificationCheck,
  VerificationKind as VerificationKindName,
} from '@understudy/sync-job';

import { sqlstateNumber, wireCodes, wireCount } from './encode-failure.js';
import { wireProblem } from './encode-problem.js';

/** What happened, in the job's words. */
export type JobEventBody =
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

export interface JobEvent {
  readonly jobId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: JobEventBody;
}

/** The bytes of an Event, and the same as protobuf's JSON for the journal. */
export function encodeEvent(journalSeq: number, event: JobEvent): { bytes: Uint8Array; message: unknown } {
  const message = create(EventSchema, {
    journalSeq: BigInt(journalSeq),
    occurredAt: timestampFromDate(event.occurredAt),
    event: {
      case: 'syncJob',
      value: create(SyncJobEventSchema, {
        jobId: event.jobId,
        epoch: event.epoch,
        seq: event.seq,
        event: wireBody(event.body),
      }),
    },
  });
  return { bytes: toBinary(EventSchema, message), message: toJson(EventSchema, message) };
}

/** The same for the answer to an ErasePrivateModel. */
export function encodeErasure(
  journalSeq: number,
  { erasureId, occurredAt }: { readonly erasureId: string; readonly occurredAt: Date },
): { bytes: Uint8Array; message: unknown } {
  const message = create(EventSchema, {
    journalSeq: BigInt(journalSeq),
    occurredAt: timestampFromDate(occurredAt),
    event: { case: 'privateModelErased', value: { erasureId } },
  });
  return { bytes: toBinary(EventSchema, message), message: toJson(EventSchema, message) };
}

/** The same for the answer to a ClearSyncTarget. */
export function encodeClearance(
  journalSeq: number,
  { jobId, occurredAt }: { readonly jobId: string; readonly occurredAt: Date },
): { bytes: Uint8Array; message: unknown } {
  const message = create(EventSchema, {
    journalSeq: BigInt(journalSeq),
    occurredAt: timestampFromDate(occurredAt),
    event: { case: 'syncTargetCleared', value: { jobId } },
  });
  return { bytes: toBinary(EventSchema, message), message: toJson(EventSchema, message) };
}

function wireBody(body: JobEventBody): SyncJobEvent['event'] {
  switch (body.type) {
    case 'started':
      return { case: 'started', value: create(SyncJobStartedSchema) };
    case 'progress':
      return {
        case: 'progress',
        value: create(SyncJobProgressSchema, {
          tables: body.tables.map(wireProgress),
          phase: PHASE[body.phase],
          rowsPerSecond: wireCount(body.rowsPerSecond),
          bytesPerSecond: wireCount(body.bytesPerSecond),
          ...(body.remainingMs === undefined ? {} : { remainingMs: wireCount(body.remainingMs) }),
        }),
      };
    case 'model_trained': {
      const { tableIndex, columnIndex, hash } = body;
      return {
        case: 'modelTrained',
        value: create(SyncJobModelTrainedSchema, { tableIndex, columnIndex, hash: wireHash(hash) }),
      };
    }
    case 'completed':
      return {
        case: 'completed',
        value: create(SyncJobCompletedSchema, {
          tables: body.tables.map(wireProgress),
          durationMs: wireCount(body.durationMs),
          warnings: body.warnings.map(wireWarning),
          phases: body.phases.map(({ phase, durationMs }) => ({
            phase: PHASE[phase],
            durationMs: wireCount(durationMs),
          })),
          verification: wireVerification(body.verification),
        }),
      };
    case 'predicted': {
      const { failures, failureCount, tables, warnings } = body.prediction;
      return {
        case: 'predicted',
        value: create(SyncJobPredictedSchema, {
          failures: failures.map(wireFailure),
          failureCount,
          tables: tables.map(({ tableIndex, rows }) => ({ tableIndex, rows: BigInt(rows) })),
          warnings: warnings.map(wireWarning),
        }),
      };
    }
    case 'failed':
      return { case: 'failed', value: wireFailure(body.failure) };
  }
}

function wireWarning(warning: SyncWarning) {
  return { ...warning, code: WARNING_CODE[warning.code] };
}

function wireProgress(progress: TableProgress) {
  const { tableIndex, rowsProcessed, rowsTotal, bytesProcessed, bytesTotal, state } = progress;
  return create(TableProgressSchema, {
    tableIndex,
    rowsProcessed: wireCount(rowsProcessed),
    rowsTotal: wireCount(rowsTotal),
    bytesProcessed: wireCount(bytesProcessed),
    bytesTotal: wireCount(bytesTotal),
    state: TABLE_STATE[state],
  });
}

function wireVerification({ checks }: Verification) {
  return create(VerificationSchema, { checks: checks.map(wireCheck) });
}

function wireCheck(check: VerificationCheck) {
  const { kind, tableIndex, ok } = check;
  if (check.kind === 'row_count') {
    const { source, copied, target } = check.rows;
    const rows = { source: wireCount(source), copied: wireCount(copied), target: wireCount(target) };
    return { kind: VERIFICATION_KIND[kind], tableIndex, ok, rows };
  }
  const { lookedAt, columnIndex } = check;
  const place = columnIndex === undefined ? {} : { columnIndex };
  return { kind: VERIFICATION_KIND[kind], tableIndex, ok, lookedAt, ...place };
}

function wireFailure(failure: SyncFailure) {
  return create(SyncJobFailedSchema, {
    ...wireCodes(failure),
    ...(failure.tableIndex === undefined ? {} : { tableIndex: failure.tableIndex }),
    ...(failure.columnIndex === undefined ? {} : { columnIndex: failure.columnIndex }),
    sqlstate: sqlstateNumber(failure.sqlstate),
    ...(failure.verification === undefined ? {} : { verification: wireVerification(failure.verification) }),
    problems: (failure.problems ?? []).map((problem) => wireProblem(problem, wireCodes(problem))),
    problemCount: failure.problemCount ?? 0,
  });
}

/** Four big-endian words. @throws RangeError unless there are 32 bytes */
function wireHash(hash: Uint8Array): ModelHash {
  if (hash.length !== 32) throw new RangeError('a model hash has 32 bytes');
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  return create(ModelHashSchema, {
    word0: view.getBigUint64(0),
    word1: view.getBigUint64(8),
    word2: view.getBigUint64(16),
    word3: view.getBigUint64(24),
  });
}

const TABLE_STATE = {
  pending: TableState.PENDING,
  copying: TableState.COPYING,
  indexing: TableState.INDEXING,
  verifying: TableState.VERIFYING,
  completed: TableState.COMPLETED,
} as const;
const PHASE: Record<SyncPhaseName, SyncPhase> = {
  preflight: SyncPhase.PREFLIGHT,
  training: SyncPhase.TRAINING,
  copying: SyncPhase.COPYING,
  indexing: SyncPhase.INDEXING,
  verifying: SyncPhase.VERIFYING,
  switching: SyncPhase.SWITCHING,
};
const VERIFICATION_KIND: Record<VerificationKindName, VerificationKind> = {
  row_count: VerificationKind.ROW_COUNT,
  preserved_columns: VerificationKind.PRESERVED_COLUMNS,
  nulled_columns: VerificationKind.NULLED_COLUMNS,
  masked_columns: VerificationKind.MASKED_COLUMNS,
  foreign_keys: VerificationKind.FOREIGN_KEYS,
  sequences: VerificationKind.SEQUENCES,
};
const WARNING_CODE: Record<SyncWarning['code'], WarningCode> = {
  foreign_key_skipped: WarningCode.FOREIGN_KEY_SKIPPED,
  value_truncated: WarningCode.VALUE_TRUNCATED,
  unique_scarce: WarningCode.UNIQUE_SCARCE,
  restarted_from_zero: WarningCode.RESTARTED_FROM_ZERO,
  waited_for_job: WarningCode.WAITED_FOR_JOB,
  waited_for_lock: WarningCode.WAITED_FOR_LOCK,
  large_objects_skipped: WarningCode.LARGE_OBJECTS_SKIPPED,
  definition_copied: WarningCode.DEFINITION_COPIED,
};
