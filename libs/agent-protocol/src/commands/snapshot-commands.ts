import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';

import type { CreateSnapshot, DeleteSnapshot, RestoreSnapshot } from '../schema/index.js';
import { bytesOfHex, hexOf, ID } from '../wire-values.js';
import { databaseOf, graceSeconds, wireDatabase, type CommandDatabase } from './command-database.js';
import { commandKind } from './command-kind.js';

/** A command that makes an agent create a snapshot. */
export interface SnapshotCommand {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly database: CommandDatabase;
  /** Table names as written in SQL; an empty list selects all tables. */
  readonly tables: readonly string[];
  readonly acceptedAt: Date;
  /** When the control plane will delete the snapshot. The agent only stores this time in the archive. */
  readonly expiresAt: Date;
  /** The grace period of the lease, as in SyncJobCommand. */
  readonly graceSeconds: number;
}

export interface RestoreCommand {
  readonly restoreId: string;
  readonly epoch: number;
  readonly snapshotId: string;
  readonly snapshotEpoch: number;
  /** The hash (64 hex digits) that the agent reported when it created the snapshot. */
  readonly manifestHash: string;
  readonly target: CommandDatabase;
  readonly overwrite: boolean;
  readonly acceptedAt?: Date;
  /** The grace period of the lease, as in SyncJobCommand. */
  readonly graceSeconds: number;
}

export interface SnapshotDeletion {
  /** `del_` + ULID */
  readonly id: string;
  readonly snapshotId: string;
  /**
   * The agent deletes the attempts whose epoch is lower than this number. The special value 0 means that the
   * agent deletes all attempts, and so the whole snapshot.
   */
  readonly beforeEpoch: number;
  /** Fingerprint of the store that keeps the snapshot, 32 hex digits. */
  readonly store: string;
}

export const SNAPSHOT_COMMANDS = {
  create_snapshot: commandKind({
    encode: (command: SnapshotCommand) => ({
      case: 'createSnapshot',
      value: {
        snapshotId: command.snapshotId,
        epoch: command.epoch,
        database: wireDatabase(command.database),
        tables: [...command.tables],
        acceptedAt: timestampFromDate(command.acceptedAt),
        expiresAt: timestampFromDate(command.expiresAt),
        gracePeriodSeconds: command.graceSeconds,
      },
    }),
    decode: { createSnapshot: snapshotCommand },
    key: ({ snapshotId, epoch }, agentId) => `${snapshotId}.${epoch}.${agentId}`,
  }),
  restore_snapshot: commandKind({
    encode: (command: RestoreCommand) => ({
      case: 'restoreSnapshot',
      value: {
        restoreId: command.restoreId,
        epoch: command.epoch,
        snapshotId: command.snapshotId,
        snapshotEpoch: command.snapshotEpoch,
        manifestHash: bytesOfHex(command.manifestHash),
        target: wireDatabase(command.target),
        overwrite: command.overwrite,
        ...(command.acceptedAt && { acceptedAt: timestampFromDate(command.acceptedAt) }),
        gracePeriodSeconds: command.graceSeconds,
      },
    }),
    decode: { restoreSnapshot: restoreCommand },
    key: ({ restoreId, epoch }, agentId) => `${restoreId}.${epoch}.${agentId}`,
  }),
  delete_snapshot: commandKind({
    encode: ({ id, snapshotId, beforeEpoch, store }: SnapshotDeletion) => ({
      case: 'deleteSnapshot',
      value: { deletionId: id, snapshotId, beforeEpoch, store: bytesOfHex(store) },
    }),
    decode: { deleteSnapshot: snapshotDeletion },
    key: ({ id }, agentId) => `${id}.${agentId}`,
  }),
};

/** @throws TypeError if a required field is missing */
function snapshotCommand(wire: CreateSnapshot): SnapshotCommand {
  const { snapshotId, epoch, database, tables, acceptedAt, expiresAt } = wire;
  if (!ID.test(snapshotId) || epoch < 1 || acceptedAt === undefined || expiresAt === undefined)
    throw new TypeError('expected a snapshot with id, epoch and instants');
  return {
    ...{ snapshotId, epoch, tables },
    database: databaseOf(database),
    acceptedAt: timestampDate(acceptedAt),
    expiresAt: timestampDate(expiresAt),
    graceSeconds: graceSeconds(wire),
  };
}

/** @throws TypeError if a required field is missing */
function restoreCommand(wire: RestoreSnapshot): RestoreCommand {
  const { restoreId, epoch, snapshotId, snapshotEpoch, manifestHash, target, overwrite, acceptedAt } = wire;
  const known = ID.test(restoreId) && ID.test(snapshotId) && epoch >= 1 && snapshotEpoch >= 1;
  if (!known || manifestHash.length !== 32)
    throw new TypeError('expected a restore with ids, epochs and hash');
  return {
    ...{ restoreId, epoch, snapshotId, snapshotEpoch, overwrite },
    manifestHash: hexOf(manifestHash),
    target: databaseOf(target),
    ...(acceptedAt && { acceptedAt: timestampDate(acceptedAt) }),
    graceSeconds: graceSeconds(wire),
  };
}

/** @throws TypeError if a required field is missing */
function snapshotDeletion(wire: DeleteSnapshot): SnapshotDeletion {
  const { deletionId, snapshotId, beforeEpoch, store } = wire;
  if (!ID.test(deletionId) || !ID.test(snapshotId) || store.length !== 16)
    throw new TypeError('expected a deletion with ids and store');
  return { id: deletionId, snapshotId, beforeEpoch, store: hexOf(store) };
}
