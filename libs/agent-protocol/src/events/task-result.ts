import type { SyncFailureCode } from '@understudy/sync-job';

import {
  enumName,
  enumValue,
  FailureCode,
  type KeptDatabaseDropped,
  type ReplacementReverted,
  type SnapshotDeletionRefused,
} from '../schema/index.js';
import { ID, type EncodedMessage } from '../wire-values.js';
import { encodeEvent } from './event-envelope.js';

/** An agent refuses to delete a snapshot because the agent's policy still protects the snapshot. */
export interface DeletionRefusal {
  readonly deletionId: string;
  /** Lower-case name of the FailureCode, such as `snapshot_too_young`. */
  readonly code: string;
  /** The agent refuses the deletion again if it receives the next request before this time has passed. */
  readonly retryAfterSeconds: number;
}

/** The end of a revert. */
export interface RevertResult {
  readonly revertId: string;
  /** Lower-case name of the FailureCode; absent if the databases are swapped. */
  readonly code?: string;
}

/** The end of a command to drop a kept database. */
export interface DropResult {
  readonly changeId: string;
  /** Lower-case name of the FailureCode; absent if the database is gone. Otherwise no agent can drop it. */
  readonly code?: string;
}

export function encodeKeptDatabaseDropped(
  journalSeq: number,
  { changeId, code }: { readonly changeId: string; readonly code?: SyncFailureCode | undefined },
  occurredAt: Date,
): EncodedMessage {
  const value = { changeId, ...(code && { code: enumValue(FailureCode, code) }) };
  return encodeEvent(journalSeq, occurredAt, { case: 'keptDatabaseDropped', value });
}

/** @returns undefined if the event is malformed */
export function dropResult({ changeId, code }: KeptDatabaseDropped): DropResult | undefined {
  return ID.test(changeId) ? { changeId, ...failureCode(code) } : undefined;
}

export function encodeReverted(
  journalSeq: number,
  { revertId, code }: { readonly revertId: string; readonly code?: SyncFailureCode },
  occurredAt: Date,
): EncodedMessage {
  const value = { revertId, ...(code && { code: enumValue(FailureCode, code) }) };
  return encodeEvent(journalSeq, occurredAt, { case: 'replacementReverted', value });
}

/** @returns undefined if the event is malformed */
export function revertResult({ revertId, code }: ReplacementReverted): RevertResult | undefined {
  return ID.test(revertId) ? { revertId, ...failureCode(code) } : undefined;
}

function failureCode(code: FailureCode): { readonly code?: string } {
  return code === FailureCode.UNSPECIFIED ? {} : { code: enumName(FailureCode, code) ?? 'internal' };
}

export function encodeModelErased(journalSeq: number, erasureId: string, occurredAt: Date): EncodedMessage {
  return encodeEvent(journalSeq, occurredAt, { case: 'privateModelErased', value: { erasureId } });
}

export function encodeTargetCleanedUp(journalSeq: number, jobId: string, occurredAt: Date): EncodedMessage {
  return encodeEvent(journalSeq, occurredAt, { case: 'syncTargetCleared', value: { jobId } });
}

/**
 * Encodes the result of a command to delete a snapshot.
 * @param keptMs time in milliseconds until the policy permits the deletion; 0 if the snapshot is deleted
 */
export function encodeDeletion(
  journalSeq: number,
  { deletionId, keptMs }: { readonly deletionId: string; readonly keptMs: number },
  occurredAt: Date,
): EncodedMessage {
  if (keptMs === 0)
    return encodeEvent(journalSeq, occurredAt, { case: 'snapshotDeleted', value: { deletionId } });
  const retryAfterSeconds = Math.ceil(keptMs / 1_000);
  return encodeEvent(journalSeq, occurredAt, {
    case: 'snapshotDeletionRefused',
    value: { deletionId, code: FailureCode.SNAPSHOT_TOO_YOUNG, retryAfterSeconds },
  });
}

/** @returns undefined if the event is malformed */
export function deletionRefusal(wire: SnapshotDeletionRefused): DeletionRefusal | undefined {
  const { deletionId, code, retryAfterSeconds } = wire;
  if (!ID.test(deletionId)) return undefined;
  return {
    deletionId,
    code: enumName(FailureCode, code) ?? 'internal',
    retryAfterSeconds: Math.min(retryAfterSeconds, MAX_RETRY_SECONDS),
  };
}

/** The longest time that a policy can protect a snapshot. */
const MAX_RETRY_SECONDS = 365 * 24 * 3_600;
