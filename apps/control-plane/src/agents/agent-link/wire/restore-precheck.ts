import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnswerSchema, QuestionSchema, RestoreTargetQuestionSchema } from '@understudy/contract';

import type { RestorePrecheck } from '../messages/snapshot-command.js';
import type { AgentFailure } from '../messages/sync-job-event.js';
import { snapshotFailure } from './decode-snapshot-event.js';
import { databaseReference } from './encode-command.js';

export interface PrecheckResponse {
  readonly precheckId: string;
  /** Undefined if nothing blocks the restore. */
  readonly blocker?: AgentFailure;
}

/** @param id `qst_` + ULID */
export function encodeRestorePrecheck(id: string, precheck: RestorePrecheck): Uint8Array {
  const value = create(RestoreTargetQuestionSchema, {
    restoreId: precheck.restoreId,
    snapshotId: precheck.snapshotId,
    snapshotEpoch: precheck.snapshotEpoch,
    target: databaseReference(precheck.target),
    overwrite: precheck.overwrite,
  });
  return toBinary(QuestionSchema, create(QuestionSchema, { id, question: { case: 'restoreTarget', value } }));
}

/**
 * Decodes an agent's response to a pre-check request.
 * @returns undefined if the control plane does not know the kind of the response
 * @throws if the bytes do not encode a response
 */
export function decodePrecheckResponse(bytes: Uint8Array): PrecheckResponse | undefined {
  const { questionId, answer } = fromBinary(AnswerSchema, bytes);
  if (answer.case !== 'restoreTarget') return undefined;
  const { obstacle } = answer.value;
  return {
    precheckId: questionId,
    ...(obstacle === undefined ? {} : { blocker: snapshotFailure(obstacle) }),
  };
}
