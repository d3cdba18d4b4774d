import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Failure, Received, SqlName } from '@understudy/sync-job';

import {
  enumName,
  enumValue,
  RestorePhase as WireRestorePhase,
  SnapshotPhase as WireSnapshotPhase,
  type EnumName,
  type RestoreEvent as WireRestoreEvent,
  type RestoreEventSchema,
  type SnapshotCounts as WireCounts,
  type SnapshotEvent as WireSnapshotEvent,
  type SnapshotEventSchema,
  type SnapshotReady,
} from '../schema/index.js';
import {
  count,
  defined,
  fourWords,
  hexWords,
  twoWords,
  wireCount,
  type EncodedMessage,
  keptHoursOf,
} from '../wire-values.js';
import { encodeEvent, isNumbered, type NumberedEvent } from './event-envelope.js';
import { snapshotFailure, wireSnapshotFailure, type SnapshotFailure } from './snapshot-failure.js';
import { sqlName, wireName } from './sql-name.js';

export type SnapshotPhase = EnumName<typeof WireSnapshotPhase>;
export type RestorePhase = EnumName<typeof WireRestorePhase>;

/** Counts of tables and bytes. Bytes are those of the tables' rows, estimated from the sizes of the tables. */
export interface SnapshotCounts {
  readonly tablesDone: number;
  readonly tablesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface SnapshotResult {
  /** Size of the snapshot in the store. */
  readonly sizeBytes: number;
  readonly tableCount: number;
  /**
   * All tables of the snapshot, if the command listed none and the policy allows names to be reported;
   * otherwise empty.
   */
  readonly tables: readonly { readonly schema: SqlName; readonly name: SqlName }[];
  /** The version of the archive's format. */
  readonly format: number;
  /** PostgreSQL's `server_version_num`, such as 150014. */
  readonly serverVersion: number;
  /** 64 lower-case hex digits. */
  readonly manifestHash: string;
}

/** A complete snapshot. */
type StoredSnapshot = SnapshotResult & {
  readonly durationMs: number;
  /** Fingerprint of the store that keeps the snapshot, 32 lower-case hex digits. */
  readonly store: string;
};
export type MadeSnapshot = Received<StoredSnapshot>;

/** A report of an agent about a snapshot that it creates, in the engine's types. */
export type SentSnapshotReport =
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly phase: SnapshotPhase; readonly counts: SnapshotCounts }
  | { readonly type: 'ready'; readonly made: StoredSnapshot }
  | { readonly type: 'failed'; readonly failure: SnapshotFailure };

export type SentRestoreReport =
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly phase: RestorePhase; readonly counts: SnapshotCounts }
  | {
      readonly type: 'completed';
      readonly counts: SnapshotCounts;
      readonly durationMs: number;
      /** For how long the replaced database is kept, in hours. Absent if there is none, or it was dropped. */
      readonly keptHours?: number;
      /** True if a later change had replaced the target before the attempt began. */
      readonly isReplacedAgain?: boolean;
    }
  | { readonly type: 'failed'; readonly failure: SnapshotFailure };

export type SnapshotReport =
  | { readonly type: 'started' }
  | SnapshotProgress
  | { readonly type: 'ready'; readonly made: MadeSnapshot }
  | { readonly type: 'failed'; readonly failure: Failure };

export type RestoreReport =
  | { readonly type: 'started' }
  | SnapshotProgress
  | {
      readonly type: 'completed';
      readonly counts?: SnapshotCounts;
      readonly durationMs: number;
      readonly keptHours?: number;
      readonly isReplacedAgain?: boolean;
    }
  | { readonly type: 'failed'; readonly failure: Failure };

export interface SnapshotProgress {
  readonly type: 'progress';
  /** Lower-case name of the SnapshotPhase or RestorePhase; undefined if the control plane does not know it. */
  readonly phase?: string;
  readonly counts?: SnapshotCounts;
}

/** A decoded event about a snapshot that an agent creates. */
export interface SnapshotEvent {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: SnapshotReport;
}

export interface RestoreEvent {
  readonly restoreId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: RestoreReport;
}

export function encodeSnapshotEvent(
  journalSeq: number,
  { lease, seq, occurredAt, body }: NumberedEvent<SentSnapshotReport>,
): EncodedMessage {
  return encodeEvent(journalSeq, occurredAt, {
    case: 'snapshot',
    value: { snapshotId: lease.jobId, epoch: lease.epoch, seq, event: wireSnapshotReport(body) },
  });
}

/** @returns undefined if the event is malformed or of an unknown kind */
export function snapshotEvent(wire: WireSnapshotEvent, occurredAt: Date): SnapshotEvent | undefined {
  const { snapshotId, epoch, seq } = wire;
  const body = isNumbered(snapshotId, wire) ? snapshotReport(wire.event) : undefined;
  return body && { snapshotId, epoch, seq, occurredAt, body };
}

export function encodeRestoreEvent(
  journalSeq: number,
  { lease, seq, occurredAt, body }: NumberedEvent<SentRestoreReport>,
): EncodedMessage {
  return encodeEvent(journalSeq, occurredAt, {
    case: 'restore',
    value: { restoreId: lease.jobId, epoch: lease.epoch, seq, event: wireRestoreReport(body) },
  });
}

/** @returns undefined if the event is malformed or of an unknown kind */
export function restoreEvent(wire: WireRestoreEvent, occurredAt: Date): RestoreEvent | undefined {
  const { restoreId, epoch, seq } = wire;
  const body = isNumbered(restoreId, wire) ? restoreReport(wire.event) : undefined;
  return body && { restoreId, epoch, seq, occurredAt, body };
}

function wireSnapshotReport(
  report: SentSnapshotReport,
): NonNullable<MessageInitShape<typeof SnapshotEventSchema>['event']> {
  switch (report.type) {
    case 'started':
      return { case: 'started', value: {} };
    case 'progress':
      return {
        case: 'progress',
        value: { phase: enumValue(WireSnapshotPhase, report.phase), counts: wireCounts(report.counts) },
      };
    case 'ready': {
      const { sizeBytes, tableCount, tables, durationMs, format, serverVersion, manifestHash, store } =
        report.made;
      return {
        case: 'ready',
        value: {
          ...{ tableCount, format, serverVersion },
          sizeBytes: wireCount(sizeBytes),
          tables: firstTables(tables),
          durationMs: wireCount(durationMs),
          manifestHash: fourWords(manifestHash),
          store: twoWords(store),
        },
      };
    }
    case 'failed':
      return { case: 'failed', value: wireSnapshotFailure(report.failure) };
  }
}

function snapshotReport(event: WireSnapshotEvent['event']): SnapshotReport | undefined {
  switch (event.case) {
    case 'started':
      return { type: 'started' };
    case 'progress':
      return progressOf(enumName(WireSnapshotPhase, event.value.phase), event.value.counts);
    case 'ready': {
      const made = madeSnapshot(event.value);
      return made && { type: 'ready', made };
    }
    case 'failed':
      return { type: 'failed', failure: snapshotFailure(event.value) };
    case undefined:
      return undefined;
  }
}

function wireRestoreReport(
  report: SentRestoreReport,
): NonNullable<MessageInitShape<typeof RestoreEventSchema>['event']> {
  switch (report.type) {
    case 'started':
      return { case: 'started', value: {} };
    case 'progress':
      return {
        case: 'progress',
        value: { phase: enumValue(WireRestorePhase, report.phase), counts: wireCounts(report.counts) },
      };
    case 'completed':
      return {
        case: 'completed',
        value: {
          counts: wireCounts(report.counts),
          durationMs: wireCount(report.durationMs),
          ...defined({ keptHours: report.keptHours, replacedAgain: report.isReplacedAgain }),
        },
      };
    case 'failed':
      return { case: 'failed', value: wireSnapshotFailure(report.failure) };
  }
}

function restoreReport(event: WireRestoreEvent['event']): RestoreReport | undefined {
  switch (event.case) {
    case 'started':
      return { type: 'started' };
    case 'progress':
      return progressOf(enumName(WireRestorePhase, event.value.phase), event.value.counts);
    case 'completed': {
      const { counts, durationMs, keptHours, replacedAgain } = event.value;
      return {
        type: 'completed',
        durationMs: count(durationMs),
        ...defined({ counts: counts && countsOf(counts), keptHours: keptHoursOf(keptHours) }),
        ...(replacedAgain && { isReplacedAgain: true }),
      };
    }
    case 'failed':
      return { type: 'failed', failure: snapshotFailure(event.value) };
    case undefined:
      return undefined;
  }
}

function progressOf(phase: string | undefined, counts: WireCounts | undefined): SnapshotProgress {
  return { type: 'progress', ...defined({ phase, counts: counts && countsOf(counts) }) };
}

function wireCounts({ tablesDone, tablesTotal, bytesDone, bytesTotal }: SnapshotCounts) {
  return { tablesDone, tablesTotal, bytesDone: wireCount(bytesDone), bytesTotal: wireCount(bytesTotal) };
}

function countsOf({ tablesDone, tablesTotal, bytesDone, bytesTotal }: WireCounts): SnapshotCounts {
  return { tablesDone, tablesTotal, bytesDone: count(bytesDone), bytesTotal: count(bytesTotal) };
}

/** Encodes the tables from the start of the list, and omits the rest if one message cannot hold them all. */
function firstTables(tables: SnapshotResult['tables']) {
  let room = MAX_TABLE_BYTES;
  const fitting = tables.slice(0, MAX_TABLES).filter(({ schema, name }) => {
    room -= Buffer.byteLength(schema) + Buffer.byteLength(name) + BYTES_AROUND;
    return room >= 0;
  });
  return fitting.map(({ schema, name }) => defined({ schema: wireName(schema), name: wireName(name) }));
}

function madeSnapshot(wire: SnapshotReady): MadeSnapshot | undefined {
  const { tableCount, format, serverVersion, manifestHash, store } = wire;
  if (manifestHash === undefined || store === undefined) return undefined;
  return {
    ...{ tableCount, format, serverVersion },
    sizeBytes: count(wire.sizeBytes),
    tables: wire.tables.slice(0, MAX_TABLES).flatMap((table) => {
      const [schema, name] = [sqlName(table.schema), sqlName(table.name)];
      return schema === undefined || name === undefined ? [] : [{ schema, name }];
    }),
    durationMs: count(wire.durationMs),
    manifestHash: hexWords(manifestHash),
    store: hexWords(store),
  };
}

/** The largest number of table names in one event. */
const MAX_TABLES = 10_000;
const MAX_TABLE_BYTES = 512 * 1024;
/** Encoded size of one table without its two names, in bytes: the protobuf tags and lengths. */
const BYTES_AROUND = 12;
