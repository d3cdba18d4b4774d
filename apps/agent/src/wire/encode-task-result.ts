import { create, toBinary, toJson } from '@bufbuild/protobuf';
import { AnswerSchema, FailureCode } from '@understudy/contract';
import type { SnapshotFailure } from '@understudy/snapshot-engine';

import { wireFailure } from './encode-failure.js';
import { encodeEventMessage, type EncodedMessage } from './wire-values.js';

/** Encodes the result of an ErasePrivateModel. */
export function encodeModelErased(journalSeq: number, erasureId: string, occurredAt: Date): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, { case: 'privateModelErased', value: { erasureId } });
}

/** Encodes the result of a ClearSyncTarget. */
export function encodeTargetCleanedUp(journalSeq: number, jobId: string, occurredAt: Date): EncodedMessage {
  return encodeEventMessage(journalSeq, occurredAt, { case: 'syncTargetCleared', value: { jobId } });
}

/**
 * Encodes the result of a DeleteSnapshot.
 * @param keptMs for how long the policy keeps a part of the snapshot; 0: it is deleted
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

/** Encodes the response to a RestoreTargetQuestion. @param blocker what prevents the restore, if anything */
export function encodePrecheckResponse(
  questionId: string,
  blocker: SnapshotFailure | undefined,
): EncodedMessage {
  const answer = create(AnswerSchema, {
    questionId,
    answer: {
      case: 'restoreTarget',
      value: blocker === undefined ? {} : { obstacle: wireFailure(blocker) },
    },
  });
  return { bytes: toBinary(AnswerSchema, answer), message: toJson(AnswerSchema, answer) };
}
