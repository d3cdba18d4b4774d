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

import { graceSeconds, ID, receivedDatabase, type ReceivedDatabase } from './command-fields.js';

/** A decoded command to create a snapshot. The URL is still sealed. */
export type ReceivedSnapshot = Omit<CreateSnapshotCommand, 'database'> & {
  readonly database: ReceivedDatabase;
  readonly graceSeconds: number;
};
/** A decoded command to restore a snapshot. The URL is still sealed. */
export type ReceivedRestore = Omit<RestoreSnapshotCommand, 'target' | 'sealedTarget'> & {
  readonly target: ReceivedDatabase;
  readonly graceSeconds: number;
};
/** A decoded command to delete a snapshot. */
export interface ReceivedDeletion extends DeleteSnapshotCommand {
  readonly deletionId: string;
  /** The id of the store that holds the snapshot. */
  readonly store: Uint8Array;
}
/** A decoded request to check in advance whether a restore is possible. The URL is still sealed. */
export interface ReceivedPrecheck {
  readonly requestId: string;
  readonly request: Omit<RestorePrecheckRequest, 'target'> & { readonly target: ReceivedDatabase };
}

/**
 * Decodes the fields of the command.
 * @throws TypeError if a required field is missing
 */
export function receivedSnapshot(command: CreateSnapshot): ReceivedSnapshot {
  const { snapshotId, epoch, database, tables, acceptedAt, expiresAt } = command;
  if (!ID.test(snapshotId) || epoch < 1 || acceptedAt === undefined || expiresAt === undefined)
    throw new TypeError('expected a snapshot with id, epoch and instants');
  return {
    snapshotId,
    epoch,
    database: receivedDatabase(database),
    tables,
    acceptedAt: timestampDate(acceptedAt),
    expiresAt: timestampDate(expiresAt),
    graceSeconds: graceSeconds(command),
  };
}

/**
 * Decodes the fields of the command.
 * @throws TypeError if a required field is missing
 */
export function receivedRestore(command: RestoreSnapshot): ReceivedRestore {
  const { restoreId, epoch, snapshotId, snapshotEpoch, manifestHash, target, overwrite } = command;
  const known = ID.test(restoreId) && ID.test(snapshotId) && epoch >= 1 && snapshotEpoch >= 1;
  if (!known || manifestHash.length !== 32)
    throw new TypeError('expected a restore with ids, epochs and hash');
  return {
    restoreId,
    epoch,
    snapshotId,
    snapshotEpoch,
    manifestHash,
    target: receivedDatabase(target),
    overwrite,
    graceSeconds: graceSeconds(command),
  };
}

/**
 * Decodes the fields of the command.
 * @throws TypeError if a required field is missing
 */
export function receivedDeletion({
  deletionId,
  snapshotId,
  beforeEpoch,
  store,
}: DeleteSnapshot): ReceivedDeletion {
  if (!ID.test(deletionId) || !ID.test(snapshotId) || store.length !== 16)
    throw new TypeError('expected a deletion with ids and store');
  return { deletionId, snapshotId, beforeEpoch, store };
}

/**
 * Decodes a pre-check request. Returns undefined for a kind of request that this agent does not know.
 * @throws if the bytes are not a request or an id is missing
 */
export function decodePrecheck(bytes: Uint8Array): ReceivedPrecheck | undefined {
  const { id: requestId, question } = fromBinary(QuestionSchema, bytes);
  if (question.case !== 'restoreTarget') return undefined;
  const { restoreId, snapshotId, snapshotEpoch, target, overwrite } = question.value;
  if (!ID.test(requestId) || !ID.test(restoreId) || !ID.test(snapshotId))
    throw new TypeError('expected a pre-check request with ids');
  return {
    requestId,
    request: { restoreId, snapshotId, snapshotEpoch, target: receivedDatabase(target), overwrite },
  };
}
