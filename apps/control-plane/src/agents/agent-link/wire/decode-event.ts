import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  enumName,
  EventSchema,
  SyncPhase,
  TableState,
  VerificationKind,
  WarningCode,
  type Event,
  type LeftOut as WireLeftOut,
  type SyncJobEvent as WireSyncJobEvent,
  type SyncJobFailed,
  type SyncJobPredicted,
  type SyncJobProgress,
  type SyncJobWarning,
  type TableProgress as WireTableProgress,
  type Verification as WireVerification,
} from '@understudy/contract';

import { agentProblem, failureLocation } from './decode-problem.js';
import { deletionRefusal, restoreEvent, snapshotEvent } from './decode-snapshot-event.js';
import type { DeletionRefusal, RestoreEvent, SnapshotEvent } from '../messages/snapshot-event.js';
import { count, ID, isPositiveInteger, sqlstateText, hexWords } from './wire-values.js';
import type { LeftOut, Received, SyncWarning, TableProgress } from '@understudy/sync-job';
import type {
  AgentFailure,
  AgentPrediction,
  AgentVerification,
  SyncJobEvent,
} from '../messages/sync-job-event.js';

/**
 * Why an event could not be decoded:
 * - `not_an_event`: the bytes do not encode an event.
 * - `malformed`: a required field is missing or out of range.
 * - `unknown_event`: a newer agent sent a kind of event that this control plane does not know.
 */
export type Unreadable = 'not_an_event' | 'malformed' | 'unknown_event';

export type DecodedEvent =
  | { readonly journalSeq: bigint; readonly message: AgentMessage }
  | {
      /** 0 if the event has no valid journal number. Such an event cannot be acknowledged. */
      readonly journalSeq: bigint;
      readonly message: undefined;
      readonly reason: Unreadable;
    };

/** The pattern of the handler that processes an event, and the data that the handler receives. */
export type AgentMessage =
  | { readonly pattern: 'sync_job'; readonly data: SyncJobEvent }
  | { readonly pattern: 'snapshot'; readonly data: SnapshotEvent }
  | { readonly pattern: 'restore'; readonly data: RestoreEvent }
  /** `data` is the id of a completed erasure. */
  | { readonly pattern: 'private_model_erased'; readonly data: string }
  /** `data` is the id of the job whose target was cleaned up. */
  | { readonly pattern: 'sync_target_cleared'; readonly data: string }
  /** `data` is the id of a completed deletion. */
  | { readonly pattern: 'snapshot_deleted'; readonly data: string }
  | { readonly pattern: 'snapshot_deletion_refused'; readonly data: DeletionRefusal };

/**
 * Decodes an event. Never throws, because an agent may be newer, broken or hostile. Unknown failure codes become
 * `internal`.
 */
export function decodeEvent(bytes: Uint8Array): DecodedEvent {
  let wire: Event;
  try {
    wire = fromBinary(EventSchema, bytes);
  } catch {
    return { journalSeq: 0n, message: undefined, reason: 'not_an_event' };
  }
  if (wire.journalSeq < 1n || wire.journalSeq > MAX_JOURNAL_SEQ)
    return { journalSeq: 0n, message: undefined, reason: 'malformed' };
  const message = messageOf(wire);
  if (typeof message === 'object') return { journalSeq: wire.journalSeq, message };
  return { journalSeq: wire.journalSeq, message: undefined, reason: message };
}

function messageOf(wire: Event): AgentMessage | Unreadable {
  const { occurredAt, event } = wire;
  const occurred = occurredAt === undefined ? undefined : timestampDate(occurredAt);
  switch (event.case) {
    case 'privateModelErased':
      return ID.test(event.value.erasureId)
        ? { pattern: 'private_model_erased', data: event.value.erasureId }
        : 'malformed';
    case 'syncTargetCleared':
      return ID.test(event.value.jobId)
        ? { pattern: 'sync_target_cleared', data: event.value.jobId }
        : 'malformed';
    case 'snapshotDeleted':
      return ID.test(event.value.deletionId)
        ? { pattern: 'snapshot_deleted', data: event.value.deletionId }
        : 'malformed';
    case 'snapshotDeletionRefused': {
      const data = deletionRefusal(event.value);
      return data ? { pattern: 'snapshot_deletion_refused', data } : 'malformed';
    }
    case 'syncJob': {
      const data = occurred && isJob(event.value) ? syncJobEvent(event.value, occurred) : undefined;
      return data ? { pattern: 'sync_job', data } : unreadable(event.value);
    }
    case 'snapshot': {
      const data = occurred && snapshotEvent(event.value, occurred);
      return data ? { pattern: 'snapshot', data } : unreadable(event.value);
    }
    case 'restore': {
      const data = occurred && restoreEvent(event.value, occurred);
      return data ? { pattern: 'restore', data } : unreadable(event.value);
    }
    case undefined:
      return unreadable(wire);
  }
}

/**
 * Returns why an event has no usable content. A newer agent sent the event if its `oneof event` is empty and
 * the message has fields that are not in this schema.
 */
function unreadable({
  event,
  $unknown,
}: Pick<Event, '$unknown'> & { event: { case?: unknown } }): Unreadable {
  return event.case === undefined && ($unknown?.length ?? 0) > 0 ? 'unknown_event' : 'malformed';
}

function isJob({ jobId, epoch, seq }: WireSyncJobEvent): boolean {
  return ID.test(jobId) && isPositiveInteger(epoch) && isPositiveInteger(seq);
}

function syncJobEvent(wire: WireSyncJobEvent, occurredAt: Date): SyncJobEvent | undefined {
  const body = syncJobEventBody(wire.event);
  return body === undefined
    ? undefined
    : { jobId: wire.jobId, epoch: wire.epoch, seq: wire.seq, occurredAt, body };
}

function syncJobEventBody(event: WireSyncJobEvent['event']): SyncJobEvent['body'] | undefined {
  switch (event.case) {
    case 'started':
      return { type: 'started' };
    case 'progress':
      return { type: 'progress', ...progress(event.value) };
    case 'modelTrained': {
      const { tableIndex, columnIndex, hash } = event.value;
      return hash === undefined
        ? undefined
        : { type: 'model_trained', tableIndex, columnIndex, hash: hexWords(hash) };
    }
    case 'completed':
      return {
        type: 'completed',
        tables: event.value.tables.map(tableProgress),
        durationMs: count(event.value.durationMs),
        warnings: event.value.warnings.map(agentWarning),
        phases: event.value.phases.flatMap(({ phase, durationMs }) => {
          const name = enumName(SyncPhase, phase);
          return name === undefined ? [] : [{ phase: name, durationMs: count(durationMs) }];
        }),
        ...verification(event.value.verification),
        ...leftOut(event.value.leftOut),
      };
    case 'predicted':
      return { type: 'predicted', prediction: agentPrediction(event.value) };
    case 'failed':
      return { type: 'failed', failure: agentFailure(event.value) };
    case undefined:
      return undefined;
  }
}

function agentPrediction({
  failures,
  failureCount,
  tables,
  warnings,
  ...wire
}: SyncJobPredicted): AgentPrediction {
  return {
    failures: failures.map(agentFailure),
    failureCount,
    tables: tables.map(({ tableIndex, rows }) => ({ tableIndex, rows: count(rows) })),
    warnings: warnings.map(agentWarning),
    ...leftOut(wire.leftOut),
  };
}

function leftOut(wire: WireLeftOut | undefined): { leftOut?: LeftOut } {
  if (wire === undefined) return {};
  const { tables, views, functions, types, sequences, schemas, extensions } = wire;
  const { foreignTables: foreign_tables, materializedViews: materialized_views } = wire;
  const ofTables = { tables, foreign_tables, views, materialized_views };
  return { leftOut: { ...ofTables, functions, types, sequences, schemas, extensions } };
}

function agentWarning({
  code,
  tableIndex,
  columnIndex,
  count: number,
}: SyncJobWarning): Received<SyncWarning> {
  return {
    code: enumName(WarningCode, code) ?? 'unknown',
    ...(tableIndex === undefined ? {} : { tableIndex }),
    ...(columnIndex === undefined ? {} : { columnIndex }),
    ...(number === undefined ? {} : { count: number }),
  };
}

function agentFailure(wire: SyncJobFailed): AgentFailure {
  const sqlstate = sqlstateText(wire.sqlstate);
  return {
    ...failureLocation(wire),
    ...(sqlstate === undefined ? {} : { sqlstate }),
    ...verification(wire.verification),
    ...(wire.problems.length === 0 ? {} : problemsOf(wire)),
  };
}

function verification(wire: WireVerification | undefined): { verification?: AgentVerification } {
  if (wire === undefined) return {};
  const checks = wire.checks.map(({ kind, tableIndex, columnIndex, ok, lookedAt, rows }) => ({
    kind: enumName(VerificationKind, kind) ?? 'unknown',
    tableIndex,
    ...(columnIndex === undefined ? {} : { columnIndex }),
    ok,
    lookedAt,
    ...(rows === undefined
      ? {}
      : { rows: { source: count(rows.source), copied: count(rows.copied), target: count(rows.target) } }),
  }));
  return { verification: { checks } };
}

function progress(wire: SyncJobProgress) {
  const phase = enumName(SyncPhase, wire.phase);
  return {
    tables: wire.tables.map(tableProgress),
    ...(phase === undefined ? {} : { phase }),
    rowsPerSecond: count(wire.rowsPerSecond),
    bytesPerSecond: count(wire.bytesPerSecond),
    ...(wire.remainingMs === undefined ? {} : { remainingMs: count(wire.remainingMs) }),
  };
}

function problemsOf({ problems, problemCount }: SyncJobFailed): Partial<AgentFailure> {
  return {
    problems: problems.slice(0, MAX_PROBLEMS).map(agentProblem),
    problemCount: Math.max(problemCount, problems.length),
  };
}

function tableProgress(wire: WireTableProgress): TableProgress {
  return {
    tableIndex: wire.tableIndex,
    rowsProcessed: count(wire.rowsProcessed),
    rowsTotal: count(wire.rowsTotal),
    bytesProcessed: count(wire.bytesProcessed),
    bytesTotal: count(wire.bytesTotal),
    state: enumName(TableState, wire.state) ?? 'pending',
  };
}

/** The largest journal number. Agents use JavaScript numbers, which are exact only up to this value. */
const MAX_JOURNAL_SEQ = BigInt(Number.MAX_SAFE_INTEGER);

/** The largest number of problems in one event. */
const MAX_PROBLEMS = 100;
