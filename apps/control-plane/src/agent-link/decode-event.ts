import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  EventSchema,
  SyncPhase,
  TableState,
  VerificationKind,
  WarningCode,
  type ModelHash,
  type SyncJobEvent as WireSyncJobEvent,
  type SyncJobFailed,
  type SyncJobPredicted,
  type SyncJobProgress,
  type SyncJobWarning,
  type TableProgress as WireTableProgress,
  type Verification as WireVerification,
} from '@understudy/contract';

import { agentProblem, failurePlace } from './decode-problem.js';
import { lowerCaseName } from './lower-case-name.js';
import type {
  AgentFailure,
  AgentPrediction,
  AgentVerification,
  AgentWarning,
  SyncJobEvent,
  TableProgress,
} from './sync-job-event.js';

export interface DecodedEvent {
  /** Named in the acknowledgement; 0 when the bytes are not an event at all. */
  readonly journalSeq: bigint;
  /** Undefined when this side does not know such an event (a newer agent) or it is malformed. */
  readonly event: SyncJobEvent | undefined;
  /** Instead of an event: this erasure of a private model is done. */
  readonly erasureId?: string;
  /** Likewise: the target of this job is clear. */
  readonly clearedJobId?: string;
}

/** Whatever the bytes are, this returns: an agent may be newer, broken or hostile. Unknown codes become `internal`. */
export function decodeEvent(bytes: Uint8Array): DecodedEvent {
  try {
    const { journalSeq, occurredAt, event } = fromBinary(EventSchema, bytes);
    const occurred = occurredAt === undefined ? undefined : timestampDate(occurredAt);
    if (event.case === 'privateModelErased') {
      const { erasureId } = event.value;
      return { journalSeq, event: undefined, ...(ID.test(erasureId) ? { erasureId } : {}) };
    }
    if (event.case === 'syncTargetCleared') {
      const { jobId } = event.value;
      return { journalSeq, event: undefined, ...(ID.test(jobId) ? { clearedJobId: jobId } : {}) };
    }
    const known = event.case === 'syncJob' && occurred !== undefined && isJob(event.value);
    return { journalSeq, event: known ? syncJobEvent(event.value, occurred) : undefined };
  } catch {
    return { journalSeq: 0n, event: undefined };
  }
}

function isJob({ jobId, epoch, seq }: WireSyncJobEvent): boolean {
  return ID.test(jobId) && epoch > 0 && seq > 0;
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
        : { type: 'model_trained', tableIndex, columnIndex, hash: hexHash(hash) };
    }
    case 'completed':
      return {
        type: 'completed',
        tables: event.value.tables.map(tableProgress),
        durationMs: count(event.value.durationMs),
        warnings: event.value.warnings.map(agentWarning),
        phases: event.value.phases.flatMap(({ phase, durationMs }) => {
          const name = lowerCaseName(SyncPhase[phase]);
          return name === undefined ? [] : [{ phase: name, durationMs: count(durationMs) }];
        }),
        ...verification(event.value.verification),
      };
    case 'predicted':
      return { type: 'predicted', prediction: agentPrediction(event.value) };
    case 'failed':
      return { type: 'failed', failure: agentFailure(event.value) };
    case undefined:
      return undefined;
  }
}

function agentPrediction({ failures, failureCount, tables, warnings }: SyncJobPredicted): AgentPrediction {
  return {
    failures: failures.map(agentFailure),
    failureCount,
    tables: tables.map(({ tableIndex, rows }) => ({ tableIndex, rows: count(rows) })),
    warnings: warnings.map(agentWarning),
  };
}

function agentWarning({ code, tableIndex, columnIndex }: SyncJobWarning): AgentWarning {
  return {
    code: lowerCaseName(WarningCode[code]) ?? 'unknown',
    ...(tableIndex === undefined ? {} : { tableIndex }),
    ...(columnIndex === undefined ? {} : { columnIndex }),
  };
}

function agentFailure(wire: SyncJobFailed): AgentFailure {
  const sqlstate = sqlstateText(wire.sqlstate);
  return {
    ...failurePlace(wire),
    ...(sqlstate === undefined ? {} : { sqlstate }),
    ...verification(wire.verification),
    ...(wire.problems.length === 0 ? {} : problemsOf(wire)),
  };
}

function verification(wire: WireVerification | undefined): { verification?: AgentVerification } {
  if (wire === undefined) return {};
  const checks = wire.checks.map(({ kind, tableIndex, columnIndex, ok, lookedAt, rows }) => ({
    kind: lowerCaseName(VerificationKind[kind]) ?? 'unknown',
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
  const phase = lowerCaseName(SyncPhase[wire.phase]);
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
    state: TABLE_STATE[wire.state] ?? 'pending',
  };
}

/** As many as our agents send at most. */
const MAX_PROBLEMS = 100;

/** Five base-36 digits, the first the most significant; 0 stands for none. */
function sqlstateText(code: number): string | undefined {
  return code === 0 || code >= 36 ** 5 ? undefined : code.toString(36).toUpperCase().padStart(5, '0');
}

/** The four words in order, each big-endian. */
function hexHash({ word0, word1, word2, word3 }: ModelHash): string {
  return [word0, word1, word2, word3].map((word) => word.toString(16).padStart(16, '0')).join('');
}

function count(value: bigint): number {
  return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
}

const ID = /^[A-Za-z0-9_]{1,64}$/;
const TABLE_STATE: Partial<Record<TableState, TableProgress['state']>> = {
  [TableState.PENDING]: 'pending',
  [TableState.COPYING]: 'copying',
  [TableState.INDEXING]: 'indexing',
  [TableState.VERIFYING]: 'verifying',
  [TableState.COMPLETED]: 'completed',
};
