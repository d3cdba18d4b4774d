import {
  enumName,
  FailureCode,
  RestorePhase,
  SnapshotPhase,
  type RestoreEvent as WireRestoreEvent,
  type SnapshotCounts as WireCounts,
  type SnapshotEvent as WireSnapshotEvent,
  type SnapshotDeletionRefused,
  type SnapshotFailure,
  type SnapshotReady,
} from '@understudy/contract';

import { failureLocation, sqlName } from './decode-problem.js';
import { hexWords, count, ID, isPositiveInteger, sqlstateText } from './wire-values.js';
import type {
  DeletionRefusal,
  MadeSnapshot,
  RestoreEvent,
  RestoreReport,
  SnapshotCounts,
  SnapshotEvent,
  SnapshotReport,
} from '../messages/snapshot-event.js';
import type { AgentFailure } from '../messages/sync-job-event.js';

/** The largest number of table names in one event. */
const MAX_TABLES = 10_000;
/** The longest time that a policy can protect a snapshot. */
const MAX_RETRY_SECONDS = 365 * 24 * 3_600;

/** @returns undefined if the event is malformed or of an unknown kind */
export function snapshotEvent(wire: WireSnapshotEvent, occurredAt: Date): SnapshotEvent | undefined {
  const { snapshotId, epoch, seq, event } = wire;
  const body = snapshotReport(event);
  if (!ID.test(snapshotId) || !isPositiveInteger(epoch) || !isPositiveInteger(seq)) return undefined;
  if (body === undefined) return undefined;
  return { snapshotId, epoch, seq, occurredAt, body };
}

/** @returns undefined if the event is malformed or of an unknown kind */
export function restoreEvent(wire: WireRestoreEvent, occurredAt: Date): RestoreEvent | undefined {
  const { restoreId, epoch, seq, event } = wire;
  const body = restoreReport(event);
  if (!ID.test(restoreId) || !isPositiveInteger(epoch) || !isPositiveInteger(seq)) return undefined;
  if (body === undefined) return undefined;
  return { restoreId, epoch, seq, occurredAt, body };
}

/** @returns undefined if the event is malformed */
export function deletionRefusal({
  deletionId,
  code,
  retryAfterSeconds,
}: SnapshotDeletionRefused): DeletionRefusal | undefined {
  if (!ID.test(deletionId)) return undefined;
  return {
    deletionId,
    code: enumName(FailureCode, code) ?? 'internal',
    retryAfterSeconds: Math.min(retryAfterSeconds, MAX_RETRY_SECONDS),
  };
}

export function snapshotFailure(wire: SnapshotFailure): AgentFailure {
  const sqlstate = sqlstateText(wire.sqlstate);
  return { ...failureLocation(wire), ...(sqlstate === undefined ? {} : { sqlstate }) };
}

function snapshotReport(event: WireSnapshotEvent['event']): SnapshotReport | undefined {
  switch (event.case) {
    case 'started':
      return { type: 'started' };
    case 'progress':
      return {
        type: 'progress',
        ...progress(enumName(SnapshotPhase, event.value.phase), event.value.counts),
      };
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

function restoreReport(event: WireRestoreEvent['event']): RestoreReport | undefined {
  switch (event.case) {
    case 'started':
      return { type: 'started' };
    case 'progress':
      return { type: 'progress', ...progress(enumName(RestorePhase, event.value.phase), event.value.counts) };
    case 'completed':
      return {
        type: 'completed',
        ...countsOf(event.value.counts),
        durationMs: count(event.value.durationMs),
      };
    case 'failed':
      return { type: 'failed', failure: snapshotFailure(event.value) };
    case undefined:
      return undefined;
  }
}

function progress(phase: string | undefined, counts: WireCounts | undefined) {
  return { ...(phase === undefined ? {} : { phase }), ...countsOf(counts) };
}

function countsOf(wire: WireCounts | undefined): { counts?: SnapshotCounts } {
  if (wire === undefined) return {};
  const { tablesDone, tablesTotal, bytesDone, bytesTotal } = wire;
  return {
    counts: { tablesDone, tablesTotal, bytesDone: count(bytesDone), bytesTotal: count(bytesTotal) },
  };
}

function madeSnapshot(wire: SnapshotReady): MadeSnapshot | undefined {
  const { manifestHash, store } = wire;
  if (manifestHash === undefined || store === undefined) return undefined;
  return {
    sizeBytes: count(wire.sizeBytes),
    tableCount: wire.tableCount,
    tables: wire.tables.slice(0, MAX_TABLES).flatMap((table) => {
      const [schema, name] = [sqlName(table.schema), sqlName(table.name)];
      return schema === undefined || name === undefined ? [] : [{ schema, name }];
    }),
    durationMs: count(wire.durationMs),
    format: wire.format,
    serverVersion: wire.serverVersion,
    manifestHash: hexWords(manifestHash),
    store: hexWords(store),
  };
}
