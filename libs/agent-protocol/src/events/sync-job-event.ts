import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  BuildProgress,
  Failure,
  JobEvent,
  LeftOut,
  Prediction,
  Received,
  SyncFailure,
  SyncWarning,
  TableProgress,
  TrainedModel,
} from '@understudy/sync-job';

import {
  BuildPhase,
  BuildState,
  enumName,
  enumValue,
  SyncPhase,
  TableState,
  WarningCode,
  type BuildProgress as WireBuildProgress,
  type LeftOut as WireLeftOut,
  type SyncJobEvent as WireSyncJobEvent,
  type SyncJobEventSchema,
  type SyncJobFailed,
  type SyncJobWarning,
  type TableProgress as WireTableProgress,
} from '../schema/index.js';
import {
  count,
  defined,
  fourWords,
  hexWords,
  sqlstate,
  wireCount,
  wireSqlstate,
  type EncodedMessage,
  keptHoursOf,
} from '../wire-values.js';
import { encodeEvent, isNumbered, type NumberedEvent } from './event-envelope.js';
import { locationOf, objectOf, problemOf, wireLocation, wireObject, wireProblem } from './problem.js';
import { sqlName, wireName } from './sql-name.js';
import { verificationOf, wireVerification, type AgentVerification } from './verification.js';

/** A report of an agent about a sync job. */
export type SyncJobReport = { readonly type: 'started' } | JobEvent;

/** A decoded event. `tableIndex` and `columnIndex` are positions in the job's definition. */
export interface SyncJobEvent {
  readonly jobId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body:
    | { readonly type: 'started' }
    | {
        readonly type: 'progress';
        readonly tables: readonly TableProgress[];
        /** Lower-case name of the SyncPhase; undefined if the control plane does not know it. */
        readonly phase?: string;
        readonly rowsPerSecond: number;
        readonly bytesPerSecond: number;
        readonly remainingMs?: number;
        /** Absent if the job builds no database, and from earlier versions of the agent. */
        readonly build?: readonly BuildProgress[];
      }
    | TrainedModel
    | {
        readonly type: 'completed';
        readonly tables: readonly TableProgress[];
        readonly durationMs: number;
        readonly warnings: readonly Received<SyncWarning>[];
        readonly phases: readonly { readonly phase: string; readonly durationMs: number }[];
        /** Undefined if the agent's version does not verify copies. */
        readonly verification?: AgentVerification;
        readonly leftOut?: LeftOut;
        readonly keptHours?: number;
      }
    | { readonly type: 'predicted'; readonly prediction: AgentPrediction }
    | { readonly type: 'failed'; readonly failure: AgentFailure };
}

/** The result of a dry run. */
export type AgentPrediction = Received<Omit<Prediction, 'failures'>> & {
  readonly failures: readonly AgentFailure[];
};

export type AgentFailure = Failure & { readonly verification?: AgentVerification };

export function encodeSyncJobEvent(
  journalSeq: number,
  { lease, seq, occurredAt, body }: NumberedEvent<SyncJobReport>,
): EncodedMessage {
  return encodeEvent(journalSeq, occurredAt, {
    case: 'syncJob',
    value: { jobId: lease.jobId, epoch: lease.epoch, seq, event: wireReport(body) },
  });
}

/** @returns undefined if the event is malformed or of an unknown kind */
export function syncJobEvent(wire: WireSyncJobEvent, occurredAt: Date): SyncJobEvent | undefined {
  const { jobId, epoch, seq } = wire;
  const body = isNumbered(jobId, wire) ? reportOf(wire.event) : undefined;
  return body && { jobId, epoch, seq, occurredAt, body };
}

function wireReport(
  report: SyncJobReport,
): NonNullable<MessageInitShape<typeof SyncJobEventSchema>['event']> {
  switch (report.type) {
    case 'started':
      return { case: 'started', value: {} };
    case 'progress':
      return {
        case: 'progress',
        value: {
          tables: report.tables.map(wireProgress),
          phase: enumValue(SyncPhase, report.phase),
          rowsPerSecond: wireCount(report.rowsPerSecond),
          bytesPerSecond: wireCount(report.bytesPerSecond),
          ...(report.remainingMs === undefined ? {} : { remainingMs: wireCount(report.remainingMs) }),
          build: report.build?.map(wireBuild) ?? [],
        },
      };
    case 'model_trained': {
      const { tableIndex, columnIndex, hash } = report;
      return { case: 'modelTrained', value: { tableIndex, columnIndex, hash: fourWords(hash) } };
    }
    case 'completed':
      return {
        case: 'completed',
        value: {
          tables: report.tables.map(wireProgress),
          durationMs: wireCount(report.durationMs),
          warnings: report.warnings.map(wireWarning),
          phases: report.phases.map(({ phase, durationMs }) => ({
            phase: enumValue(SyncPhase, phase),
            durationMs: wireCount(durationMs),
          })),
          verification: wireVerification(report.verification),
          ...defined({
            leftOut: report.leftOut && wireLeftOut(report.leftOut),
            keptHours: report.keptHours,
          }),
        },
      };
    case 'predicted': {
      const { failures, failureCount, tables, warnings, leftOut } = report.prediction;
      return {
        case: 'predicted',
        value: {
          failures: failures.map(wireFailure),
          failureCount,
          tables: tables.map(({ tableIndex, rows }) => ({ tableIndex, rows: BigInt(rows) })),
          warnings: warnings.map(wireWarning),
          ...defined({ leftOut: leftOut && wireLeftOut(leftOut) }),
        },
      };
    }
    case 'failed':
      return { case: 'failed', value: wireFailure(report.failure) };
  }
}

function reportOf(event: WireSyncJobEvent['event']): SyncJobEvent['body'] | undefined {
  switch (event.case) {
    case 'started':
      return { type: 'started' };
    case 'progress': {
      const { tables, phase, rowsPerSecond, bytesPerSecond, remainingMs, build } = event.value;
      return {
        type: 'progress',
        tables: tables.map(progressOf),
        rowsPerSecond: count(rowsPerSecond),
        bytesPerSecond: count(bytesPerSecond),
        ...defined({
          phase: enumName(SyncPhase, phase),
          remainingMs: remainingMs === undefined ? undefined : count(remainingMs),
          build: build.length === 0 ? undefined : build.flatMap(buildOf),
        }),
      };
    }
    case 'modelTrained': {
      const { tableIndex, columnIndex, hash } = event.value;
      return hash && { type: 'model_trained', tableIndex, columnIndex, hash: hexWords(hash) };
    }
    case 'completed': {
      const { tables, durationMs, warnings, phases, verification, leftOut, keptHours } = event.value;
      return {
        type: 'completed',
        tables: tables.map(progressOf),
        durationMs: count(durationMs),
        warnings: warnings.map(warningOf),
        phases: phases.flatMap((one) => {
          const phase = enumName(SyncPhase, one.phase);
          return phase === undefined ? [] : [{ phase, durationMs: count(one.durationMs) }];
        }),
        ...defined({
          verification: verification && verificationOf(verification),
          leftOut: leftOut && leftOutOf(leftOut),
          keptHours: keptHoursOf(keptHours),
        }),
      };
    }
    case 'predicted': {
      const { failures, failureCount, tables, warnings, leftOut } = event.value;
      const prediction = {
        failures: failures.map(failureOf),
        failureCount,
        tables: tables.map(({ tableIndex, rows }) => ({ tableIndex, rows: count(rows) })),
        warnings: warnings.map(warningOf),
        ...defined({ leftOut: leftOut && leftOutOf(leftOut) }),
      };
      return { type: 'predicted', prediction };
    }
    case 'failed':
      return { type: 'failed', failure: failureOf(event.value) };
    case undefined:
      return undefined;
  }
}

function wireWarning({ code, constraint, object, ...warning }: SyncWarning) {
  return {
    ...{ ...warning, code: enumValue(WarningCode, code) },
    ...defined({ constraint: wireName(constraint), object: object && wireObject(object) }),
  };
}

function warningOf(wire: SyncJobWarning): Received<SyncWarning> {
  const { code, tableIndex, columnIndex, count: number, constraint, object } = wire;
  return {
    code: enumName(WarningCode, code) ?? 'unknown',
    ...defined({ tableIndex, columnIndex, count: number }),
    ...defined({ constraint: sqlName(constraint), object: object && objectOf(object) }),
  };
}

function wireLeftOut(leftOut: LeftOut) {
  const { foreign_tables: foreignTables, materialized_views: materializedViews, ...others } = leftOut;
  return { ...others, foreignTables, materializedViews };
}

function leftOutOf({
  tables,
  views,
  functions,
  types,
  sequences,
  schemas,
  extensions,
  ...wire
}: WireLeftOut): LeftOut {
  const { foreignTables: foreign_tables, materializedViews: materialized_views } = wire;
  const ofTables = { tables, foreign_tables, views, materialized_views };
  return { ...ofTables, functions, types, sequences, schemas, extensions };
}

function wireBuild({ phase, state, done, total, remainingMs }: BuildProgress) {
  return {
    phase: enumValue(BuildPhase, phase),
    state: enumValue(BuildState, state),
    done: wireCount(done),
    ...defined({
      total: total === undefined ? undefined : wireCount(total),
      remainingMs: remainingMs === undefined ? undefined : wireCount(remainingMs),
    }),
  };
}

/** Leaves out phases that only a later version knows. */
function buildOf({ phase, state, done, total, remainingMs }: WireBuildProgress): readonly BuildProgress[] {
  const known = enumName(BuildPhase, phase);
  if (known === undefined) return [];
  const counts = {
    total: total === undefined ? undefined : count(total),
    remainingMs: remainingMs === undefined ? undefined : count(remainingMs),
  };
  return [
    { phase: known, state: enumName(BuildState, state) ?? 'pending', done: count(done), ...defined(counts) },
  ];
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

function progressOf({ tableIndex, state, ...counts }: WireTableProgress): TableProgress {
  return {
    tableIndex,
    state: enumName(TableState, state) ?? 'pending',
    rowsProcessed: count(counts.rowsProcessed),
    rowsTotal: count(counts.rowsTotal),
    bytesProcessed: count(counts.bytesProcessed),
    bytesTotal: count(counts.bytesTotal),
  };
}

function wireFailure(failure: SyncFailure) {
  const { verification, problems = [], problemCount = 0 } = failure;
  return {
    ...wireLocation(failure),
    sqlstate: wireSqlstate(failure.sqlstate),
    problems: problems.map(wireProblem),
    problemCount,
    ...defined({ verification: verification && wireVerification(verification) }),
  };
}

function failureOf(wire: SyncJobFailed): AgentFailure {
  const { verification, problems, problemCount } = wire;
  return {
    ...locationOf(wire),
    ...defined({
      sqlstate: sqlstate(wire.sqlstate),
      verification: verification && verificationOf(verification),
    }),
    ...(problems.length > 0 && {
      problems: problems.slice(0, MAX_PROBLEMS).map(problemOf),
      problemCount: Math.max(problemCount, problems.length),
    }),
  };
}

/** The largest number of problems in one event. */
const MAX_PROBLEMS = 100;
