import { create, toBinary, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  ConstraintKind,
  DatabaseSide,
  EventSchema,
  FailureCode,
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
  ConstraintKind as ConstraintKindName,
  Prediction,
  ProgressReport,
  SyncFailure,
  SyncFailureCode,
  SyncJobResult,
  SyncPhase as SyncPhaseName,
  SyncProblem,
  SyncWarning,
  TableProgress,
  Verification,
  VerificationCheck,
  VerificationKind as VerificationKindName,
} from '@understudy/sync-engine';

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

function wireCount(count: number): bigint {
  return BigInt(Math.max(0, Math.round(count)));
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

function wireCodes({ code, side, constraintKind }: SyncFailure | SyncProblem) {
  return {
    code: FAILURE_CODE[code],
    side: side === undefined ? DatabaseSide.UNSPECIFIED : SIDE[side],
    constraintKind:
      constraintKind === undefined ? ConstraintKind.UNSPECIFIED : CONSTRAINT_KIND[constraintKind],
  };
}

/** Five characters read as base-36 digits; 0 for anything that is not a SQLSTATE. */
function sqlstateNumber(sqlstate: string | undefined): number {
  return sqlstate !== undefined && /^[0-9A-Z]{5}$/.test(sqlstate) ? Number.parseInt(sqlstate, 36) : 0;
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

const SIDE = { source: DatabaseSide.SOURCE, target: DatabaseSide.TARGET } as const;
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
};
const CONSTRAINT_KIND: Record<ConstraintKindName, ConstraintKind> = {
  not_null: ConstraintKind.NOT_NULL,
  unique: ConstraintKind.UNIQUE,
  foreign_key: ConstraintKind.FOREIGN_KEY,
  check: ConstraintKind.CHECK,
  exclusion: ConstraintKind.EXCLUSION,
};
const FAILURE_CODE: Record<SyncFailureCode, FailureCode> = {
  internal: FailureCode.INTERNAL,
  policy_denied: FailureCode.POLICY_DENIED,
  connection_failed: FailureCode.CONNECTION_FAILED,
  authentication_failed: FailureCode.AUTHENTICATION_FAILED,
  database_not_found: FailureCode.DATABASE_NOT_FOUND,
  secret_unreadable: FailureCode.SECRET_UNREADABLE,
  server_too_old: FailureCode.SERVER_TOO_OLD,
  pg_dump_too_old: FailureCode.PG_DUMP_TOO_OLD,
  pg_dump_missing: FailureCode.PG_DUMP_MISSING,
  table_not_found: FailureCode.TABLE_NOT_FOUND,
  column_not_found: FailureCode.COLUMN_NOT_FOUND,
  column_unlisted: FailureCode.COLUMN_UNLISTED,
  column_mismatch: FailureCode.COLUMN_MISMATCH,
  rule_invalid: FailureCode.RULE_INVALID,
  model_not_found: FailureCode.MODEL_NOT_FOUND,
  training_refused: FailureCode.TRAINING_REFUSED,
  generation_failed: FailureCode.GENERATION_FAILED,
  permission_denied: FailureCode.PERMISSION_DENIED,
  constraint_violation: FailureCode.CONSTRAINT_VIOLATION,
  value_invalid: FailureCode.VALUE_INVALID,
  connection_lost: FailureCode.CONNECTION_LOST,
  lease_lost: FailureCode.LEASE_LOST,
  same_database: FailureCode.SAME_DATABASE,
  database_error: FailureCode.DATABASE_ERROR,
  disk_full: FailureCode.DISK_FULL,
  create_failed: FailureCode.CREATE_FAILED,
  cancelled: FailureCode.CANCELLED,
  agent_restarted: FailureCode.AGENT_RESTARTED,
  hosted_model_missing: FailureCode.HOSTED_MODEL_MISSING,
  hosted_model_mismatch: FailureCode.HOSTED_MODEL_MISMATCH,
  hosted_model_unavailable: FailureCode.HOSTED_MODEL_UNAVAILABLE,
  verification_failed: FailureCode.VERIFICATION_FAILED,
  unique_capacity: FailureCode.UNIQUE_CAPACITY,
  key_referenced_elsewhere: FailureCode.KEY_REFERENCED_ELSEWHERE,
  key_rules_contradict: FailureCode.KEY_RULES_CONTRADICT,
  rule_misfit: FailureCode.RULE_MISFIT,
  key_too_large: FailureCode.KEY_TOO_LARGE,
  prerequisite_missing: FailureCode.PREREQUISITE_MISSING,
  snapshot_lost: FailureCode.SNAPSHOT_LOST,
  lock_timeout: FailureCode.LOCK_TIMEOUT,
  stalled: FailureCode.STALLED,
  pooler_unsupported: FailureCode.POOLER_UNSUPPORTED,
  where_invalid: FailureCode.WHERE_INVALID,
  where_column_not_found: FailureCode.WHERE_COLUMN_NOT_FOUND,
  where_type_mismatch: FailureCode.WHERE_TYPE_MISMATCH,
  subset_too_large: FailureCode.SUBSET_TOO_LARGE,
  subset_not_possible: FailureCode.SUBSET_NOT_POSSIBLE,
};
