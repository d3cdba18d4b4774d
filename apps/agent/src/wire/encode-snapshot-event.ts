import { create, toBinary, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AnswerSchema,
  EventSchema,
  FailureCode,
  ManifestHashSchema,
  RestoreEventSchema,
  RestorePhase,
  SnapshotCountsSchema,
  SnapshotDeletedSchema,
  SnapshotDeletionRefusedSchema,
  SnapshotEventSchema,
  SnapshotFailureSchema,
  SnapshotPhase,
  type Event,
  type RestoreEvent,
  type SnapshotEvent,
} from '@understudy/contract';
import type {
  RestorePhase as RestorePhaseName,
  SnapshotCounts,
  SnapshotFailure,
  SnapshotPhase as SnapshotPhaseName,
  SnapshotResult,
} from '@understudy/snapshot-engine';

import { sqlstateNumber, wireCodes, wireCount } from './encode-failure.js';
import { wireStoreId, type Lease, type SnapshotStoreId } from './heartbeat.js';

/** An event of work under a lease, before it is encoded. */
export interface NumberedEvent<Body> {
  readonly lease: Lease;
  /** 1, 2, 3 … within the lease. */
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: Body;
}

/** What happened to a snapshot that is made. */
export type SnapshotEventBody =
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly phase: SnapshotPhaseName; readonly counts: SnapshotCounts }
  | ({
      readonly type: 'ready';
      readonly durationMs: number;
      readonly store: SnapshotStoreId;
    } & SnapshotResult)
  | { readonly type: 'failed'; readonly failure: SnapshotFailure };

/** What happened to a restore. */
export type RestoreEventBody =
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly phase: RestorePhaseName; readonly counts: SnapshotCounts }
  | { readonly type: 'completed'; readonly counts: SnapshotCounts; readonly durationMs: number }
  | { readonly type: 'failed'; readonly failure: SnapshotFailure };

interface Encoded {
  readonly bytes: Uint8Array;
  /** The same as protobuf's JSON, for the journal. */
  readonly message: unknown;
}

export function encodeSnapshotEvent(journalSeq: number, event: NumberedEvent<SnapshotEventBody>): Encoded {
  const { lease, seq, body } = event;
  const value = create(SnapshotEventSchema, {
    snapshotId: lease.jobId,
    epoch: lease.epoch,
    seq,
    event: snapshotBody(body),
  });
  return encoded(journalSeq, event.occurredAt, { case: 'snapshot', value });
}

export function encodeRestoreEvent(journalSeq: number, event: NumberedEvent<RestoreEventBody>): Encoded {
  const { lease, seq, body } = event;
  const value = create(RestoreEventSchema, {
    restoreId: lease.jobId,
    epoch: lease.epoch,
    seq,
    event: restoreBody(body),
  });
  return encoded(journalSeq, event.occurredAt, { case: 'restore', value });
}

/**
 * The answer to a DeleteSnapshot.
 * @param keptMs for how long the policy keeps something of the snapshot; 0: it is deleted
 */
export function encodeDeletion(
  journalSeq: number,
  { deletionId, keptMs }: { readonly deletionId: string; readonly keptMs: number },
  occurredAt: Date,
): Encoded {
  if (keptMs === 0) {
    const value = create(SnapshotDeletedSchema, { deletionId });
    return encoded(journalSeq, occurredAt, { case: 'snapshotDeleted', value });
  }
  const value = create(SnapshotDeletionRefusedSchema, {
    deletionId,
    code: FailureCode.SNAPSHOT_TOO_YOUNG,
    retryAfterSeconds: Math.ceil(keptMs / 1_000),
  });
  return encoded(journalSeq, occurredAt, { case: 'snapshotDeletionRefused', value });
}

/** The answer to a RestoreTargetQuestion. */
export function encodeAnswer(questionId: string, obstacle: SnapshotFailure | undefined): Encoded {
  const answer = create(AnswerSchema, {
    questionId,
    answer: {
      case: 'restoreTarget',
      value: obstacle === undefined ? {} : { obstacle: wireFailure(obstacle) },
    },
  });
  return { bytes: toBinary(AnswerSchema, answer), message: toJson(AnswerSchema, answer) };
}

function encoded(journalSeq: number, occurredAt: Date, event: Event['event']): Encoded {
  const message = create(EventSchema, {
    journalSeq: BigInt(journalSeq),
    occurredAt: timestampFromDate(occurredAt),
    event,
  });
  return { bytes: toBinary(EventSchema, message), message: toJson(EventSchema, message) };
}

function snapshotBody(body: SnapshotEventBody): SnapshotEvent['event'] {
  switch (body.type) {
    case 'started':
      return create(SnapshotEventSchema, { event: { case: 'started', value: {} } }).event;
    case 'progress':
      return create(SnapshotEventSchema, {
        event: {
          case: 'progress',
          value: { phase: SNAPSHOT_PHASE[body.phase], counts: wireCounts(body.counts) },
        },
      }).event;
    case 'ready':
      return readyBody(body);
    case 'failed':
      return { case: 'failed', value: wireFailure(body.failure) };
  }
}

function readyBody(body: Extract<SnapshotEventBody, { type: 'ready' }>): SnapshotEvent['event'] {
  const { sizeBytes, tableCount, tables, durationMs, format, serverVersion, manifestHash, store } = body;
  return create(SnapshotEventSchema, {
    event: {
      case: 'ready',
      value: {
        sizeBytes: wireCount(sizeBytes),
        tableCount,
        tables: firstTables(tables),
        durationMs: wireCount(durationMs),
        format,
        serverVersion,
        manifestHash: wireHash(manifestHash),
        store: wireStoreId(store),
      },
    },
  }).event;
}

function restoreBody(body: RestoreEventBody): RestoreEvent['event'] {
  switch (body.type) {
    case 'started':
      return create(RestoreEventSchema, { event: { case: 'started', value: {} } }).event;
    case 'progress':
      return create(RestoreEventSchema, {
        event: {
          case: 'progress',
          value: { phase: RESTORE_PHASE[body.phase], counts: wireCounts(body.counts) },
        },
      }).event;
    case 'completed':
      return create(RestoreEventSchema, {
        event: {
          case: 'completed',
          value: { counts: wireCounts(body.counts), durationMs: wireCount(body.durationMs) },
        },
      }).event;
    case 'failed':
      return { case: 'failed', value: wireFailure(body.failure) };
  }
}

function wireFailure(failure: SnapshotFailure) {
  return create(SnapshotFailureSchema, {
    ...wireCodes(failure),
    ...(failure.tableIndex === undefined ? {} : { tableIndex: failure.tableIndex }),
    sqlstate: sqlstateNumber(failure.sqlstate),
  });
}

function wireCounts({ tablesDone, tablesTotal, bytesDone, bytesTotal }: SnapshotCounts) {
  return create(SnapshotCountsSchema, {
    tablesDone,
    tablesTotal,
    bytesDone: wireCount(bytesDone),
    bytesTotal: wireCount(bytesTotal),
  });
}

/** Four big-endian words of 32 bytes. */
function wireHash(hash: Uint8Array) {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  const [word0, word1, word2, word3] = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
  return create(ManifestHashSchema, {
    word0: word0 ?? 0n,
    word1: word1 ?? 0n,
    word2: word2 ?? 0n,
    word3: word3 ?? 0n,
  });
}

/** A message has room for so many. */
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
/** Tags and lengths of two names and the message around them. */
const BYTES_AROUND = 12;

const SNAPSHOT_PHASE: Record<SnapshotPhaseName, SnapshotPhase> = {
  preflight: SnapshotPhase.PREFLIGHT,
  dumping: SnapshotPhase.DUMPING,
  finishing: SnapshotPhase.FINISHING,
};
const RESTORE_PHASE: Record<RestorePhaseName, RestorePhase> = {
  preflight: RestorePhase.PREFLIGHT,
  checking: RestorePhase.CHECKING,
  loading: RestorePhase.LOADING,
  switching: RestorePhase.SWITCHING,
};
