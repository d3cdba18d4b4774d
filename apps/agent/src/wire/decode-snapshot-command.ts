import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  QuestionSchema,
  type CreateSnapshot,
  type DeleteSnapshot,
  type RestoreSnapshot,
} from '@understudy/contract';
import type {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  RestorePrecheckRequest,
  RestoreSnapshotCommand,
} from '@understudy/snapshot-engine';

import { ID, receivedDatabase, type ReceivedDatabase } from './received-database.js';

/** Commands and questions as they came: URLs are sealed still. */
export type ReceivedSnapshot = Omit<CreateSnapshotCommand, 'database'> & {
  readonly database: ReceivedDatabase;
};
export type ReceivedRestore = Omit<RestoreSnapshotCommand, 'target' | 'sealedTarget'> & {
  readonly target: ReceivedDatabase;
};
export interface ReceivedDeletion extends DeleteSnapshotCommand {
  readonly deletionId: string;
  /** The store that it is meant for. */
  readonly store: Uint8Array;
}
export interface ReceivedQuestion {
  readonly questionId: string;
  readonly question: Omit<RestorePrecheckRequest, 'target'> & { readonly target: ReceivedDatabase };
}

/** @throws when something of it is missing */
export function receivedSnapshot(command: CreateSnapshot): ReceivedSnapshot {
  const { snapshotId, epoch, database, tables, acceptedAt, expiresAt } = command;
  if (!ID.test(snapshotId) || epoch < 1 || acceptedAt === undefined || expiresAt === undefined)
    throw new TypeError('a snapshot without id, epoch or instants');
  return {
    snapshotId,
    epoch,
    database: receivedDatabase(database),
    tables,
    acceptedAt: timestampDate(acceptedAt),
    expiresAt: timestampDate(expiresAt),
  };
}

/** @throws when something of it is missing */
export function receivedRestore(command: RestoreSnapshot): ReceivedRestore {
  const { restoreId, epoch, snapshotId, snapshotEpoch, manifestHash, target, overwrite } = command;
  const known = ID.test(restoreId) && ID.test(snapshotId) && epoch >= 1 && snapshotEpoch >= 1;
  if (!known || manifestHash.length !== 32) throw new TypeError('a restore without ids, epochs or hash');
  return {
    restoreId,
    epoch,
    snapshotId,
    snapshotEpoch,
    manifestHash,
    target: receivedDatabase(target),
    overwrite,
  };
}

/** @throws when something of it is missing */
export function receivedDeletion({
  deletionId,
  snapshotId,
  beforeEpoch,
  store,
}: DeleteSnapshot): ReceivedDeletion {
  if (!ID.test(deletionId) || !ID.test(snapshotId) || store.length !== 16)
    throw new TypeError('a deletion without ids or store');
  return { deletionId, snapshotId, beforeEpoch, store };
}

/** @returns undefined for a question that this agent does not know @throws when the bytes are none */
export function decodeQuestion(bytes: Uint8Array): ReceivedQuestion | undefined {
  const { id: questionId, question } = fromBinary(QuestionSchema, bytes);
  if (question.case !== 'restoreTarget') return undefined;
  const { restoreId, snapshotId, snapshotEpoch, target, overwrite } = question.value;
  if (!ID.test(questionId) || !ID.test(restoreId) || !ID.test(snapshotId))
    throw new TypeError('a question without ids');
  return {
    questionId,
    question: { restoreId, snapshotId, snapshotEpoch, target: receivedDatabase(target), overwrite },
  };
}
