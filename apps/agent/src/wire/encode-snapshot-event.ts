import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  enumValue,
  RestorePhase,
  SnapshotPhase,
  type RestoreEventSchema,
  type SnapshotEventSchema,
} from '@understudy/contract';
import type {
  RestorePhase as RestorePhaseName,
  SnapshotCounts,
  SnapshotFailure,
  SnapshotPhase as SnapshotPhaseName,
  SnapshotResult,
} from '@understudy/snapshot-engine';

import { wireFailure } from './encode-failure.js';
import type { SnapshotStoreId } from './heartbeat.js';
import type { NumberedEvent } from './lease.js';
import { encodeEventMessage, fourWords, twoWords, wireCount, type EncodedMessage } from './wire-values.js';

export type SnapshotEventBody =
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly phase: SnapshotPhaseName; readonly counts: SnapshotCounts }
  | ({
      readonly type: 'ready';
      readonly durationMs: number;
      readonly store: SnapshotStoreId;
    } & SnapshotResult)
  | { readonly type: 'failed'; readonly failure: SnapshotFailure };

export type RestoreEventBody =
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly phase: RestorePhaseName; readonly counts: SnapshotCounts }
  | { readonly type: 'completed'; readonly counts: SnapshotCounts; readonly durationMs: number }
  | { readonly type: 'failed'; readonly failure: SnapshotFailure };

export function encodeSnapshotEvent(
  journalSeq: number,
  { lease, seq, occurredAt, body }: NumberedEvent<SnapshotEventBody>,
): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, {
    case: 'snapshot',
    value: { snapshotId: lease.jobId, epoch: lease.epoch, seq, event: snapshotBody(body) },
  });
}

export function encodeRestoreEvent(
  journalSeq: number,
  { lease, seq, occurredAt, body }: NumberedEvent<RestoreEventBody>,
): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, {
    case: 'restore',
    value: { restoreId: lease.jobId, epoch: lease.epoch, seq, event: restoreBody(body) },
  });
}

function snapshotBody(
  body: SnapshotEventBody,
): NonNullable<MessageInitShape<typeof SnapshotEventSchema>['event']> {
  switch (body.type) {
    case 'started':
      return { case: 'started', value: {} };
    case 'progress':
      return {
        case: 'progress',
        value: { phase: enumValue(SnapshotPhase, body.phase), counts: wireCounts(body.counts) },
      };
    case 'ready':
      return {
        case: 'ready',
        value: {
          sizeBytes: wireCount(body.sizeBytes),
          tableCount: body.tableCount,
          tables: firstTables(body.tables),
          durationMs: wireCount(body.durationMs),
          format: body.format,
          serverVersion: body.serverVersion,
          manifestHash: fourWords(body.manifestHash),
          store: twoWords(body.store),
        },
      };
    case 'failed':
      return { case: 'failed', value: wireFailure(body.failure) };
  }
}

function restoreBody(
  body: RestoreEventBody,
): NonNullable<MessageInitShape<typeof RestoreEventSchema>['event']> {
  switch (body.type) {
    case 'started':
      return { case: 'started', value: {} };
    case 'progress':
      return {
        case: 'progress',
        value: { phase: enumValue(RestorePhase, body.phase), counts: wireCounts(body.counts) },
      };
    case 'completed':
      return {
        case: 'completed',
        value: { counts: wireCounts(body.counts), durationMs: wireCount(body.durationMs) },
      };
    case 'failed':
      return { case: 'failed', value: wireFailure(body.failure) };
  }
}

function wireCounts({ tablesDone, tablesTotal, bytesDone, bytesTotal }: SnapshotCounts) {
  return { tablesDone, tablesTotal, bytesDone: wireCount(bytesDone), bytesTotal: wireCount(bytesTotal) };
}

/** Encodes the tables from the start of the list, and omits the rest if one message cannot hold them all. */
function firstTables(tables: SnapshotResult['tables']) {
  let room = MAX_TABLE_BYTES;
  const fitting = tables.slice(0, MAX_TABLES).filter(({ schema, name }) => {
    room -= Buffer.byteLength(schema) + Buffer.byteLength(name) + BYTES_AROUND;
    return room >= 0;
  });
  return fitting.map(({ schema, name }) => ({ schema: { text: schema }, name: { text: name } }));
}

const MAX_TABLES = 10_000;
const MAX_TABLE_BYTES = 512 * 1024;
/** Encoded size of one table without its two names, in bytes: the protobuf tags and lengths. */
const BYTES_AROUND = 12;
