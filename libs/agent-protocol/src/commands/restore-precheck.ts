import { fromBinary } from '@bufbuild/protobuf';
import type { Failure } from '@understudy/sync-job';

import { snapshotFailure, wireSnapshotFailure, type SnapshotFailure } from '../events/snapshot-failure.js';
import { AnswerSchema, QuestionSchema } from '../schema/index.js';
import { bytesOf, defined, encodeMessage, ID, type EncodedMessage } from '../wire-values.js';
import { databaseOf, wireDatabase } from './command-database.js';
import type { RestoreCommand } from './snapshot-commands.js';

/** A request that asks an agent whether something blocks this restore now. */
export type RestorePrecheck = Pick<
  RestoreCommand,
  'restoreId' | 'snapshotId' | 'snapshotEpoch' | 'target' | 'overwrite'
>;

export interface PrecheckResponse {
  readonly precheckId: string;
  /** Undefined if nothing blocks the restore. */
  readonly blocker?: Failure;
}

/** @param id `qst_` + ULID */
export function encodeRestorePrecheck(id: string, { target, ...precheck }: RestorePrecheck): Uint8Array {
  const { restoreId, snapshotId, snapshotEpoch, overwrite } = precheck;
  const value = { restoreId, snapshotId, snapshotEpoch, target: wireDatabase(target), overwrite };
  return bytesOf(QuestionSchema, { id, question: { case: 'restoreTarget', value } });
}

/**
 * Decodes a pre-check request. Returns undefined for a kind of request that this agent does not know.
 * @throws if the bytes are not a request or an id is missing
 */
export function decodeRestorePrecheck(
  bytes: Uint8Array,
): { readonly id: string; readonly precheck: RestorePrecheck } | undefined {
  const { id, question } = fromBinary(QuestionSchema, bytes);
  if (question.case !== 'restoreTarget') return undefined;
  const { restoreId, snapshotId, snapshotEpoch, target, overwrite } = question.value;
  if (!ID.test(id) || !ID.test(restoreId) || !ID.test(snapshotId))
    throw new TypeError('expected a pre-check request with ids');
  return { id, precheck: { restoreId, snapshotId, snapshotEpoch, target: databaseOf(target), overwrite } };
}

/** @param blocker the reason that prevents the restore, if any */
export function encodePrecheckResponse(
  questionId: string,
  blocker: SnapshotFailure | undefined,
): EncodedMessage {
  const value = defined({ obstacle: blocker && wireSnapshotFailure(blocker) });
  return encodeMessage(AnswerSchema, { questionId, answer: { case: 'restoreTarget', value } });
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
  return { precheckId: questionId, ...defined({ blocker: obstacle && snapshotFailure(obstacle) }) };
}
