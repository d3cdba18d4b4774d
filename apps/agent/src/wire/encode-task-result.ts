import { create, toBinary, toJson } from '@bufbuild/protobuf';
import { AnswerSchema, FailureCode } from '@understudy/contract';
import type { SnapshotFailure } from '@understudy/snapshot-engine';

import { wireFailure } from './encode-failure.js';
import { encodeEventMessage, type EncodedMessage } from './wire-values.js';

export function encodeModelErased(journalSeq: number, erasureId: string, occurredAt: Date): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, { case: 'privateModelErased', value: { erasureId } });
}

export function encodeTargetCleanedUp(journalSeq: number, jobId: string, occurredAt: Date): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, { case: 'syncTargetCleared', value: { jobId } });
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
    return encodeEventMessage(journalSeq, occurredAt, { case: 'snapshotDeleted', value: { deletionId } });
  const retryAfterSeconds = Math.ceil(keptMs / 1_000);
  return encodeEventMessage(journalSeq, occurredAt, {
    case: 'snapshotDeletionRefused',
    value: { deletionId, code: FailureCode.SNAPSHOT_TOO_YOUNG, retryAfterSeconds },
  });
}

/**
 * Encodes the response to a pre-check request.
 * @param blocker the reason that prevents the restore, if any
 */
export function encodePrecheckResponse(
  requestId: string,
  blocker: SnapshotFailure | undefined,
): EncodedMessage {
  const response = create(AnswerSchema, {
    questionId: requestId,
    answer: {
      case: 'restoreTarget',
      value: blocker === undefined ? {} : { obstacle: wireFailure(blocker) },
    },
  });
  return { bytes: toBinary(AnswerSchema, response), message: toJson(AnswerSchema, response) };
}
