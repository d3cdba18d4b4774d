import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  CommandSchema,
  CreateSnapshotSchema,
  DeleteSnapshotSchema,
  RestoreSnapshotSchema,
  type Command,
} from '@understudy/contract';

import { databaseReference } from './encode-command.js';
import { bytesOfHex } from './wire-values.js';
import type { RestoreCommand, SnapshotCommand, SnapshotDeletion } from '../messages/snapshot-command.js';

/** @param id `cmd_` + ULID */
export function encodeSnapshotCommand(id: string, command: SnapshotCommand): Uint8Array {
  const value = create(CreateSnapshotSchema, {
    snapshotId: command.snapshotId,
    epoch: command.epoch,
    database: databaseReference(command.database),
    tables: [...command.tables],
    acceptedAt: timestampFromDate(command.acceptedAt),
    expiresAt: timestampFromDate(command.expiresAt),
    gracePeriodSeconds: command.graceSeconds,
  });
  return encode(id, { case: 'createSnapshot', value });
}

/** @param id `cmd_` + ULID */
export function encodeRestoreCommand(id: string, command: RestoreCommand): Uint8Array {
  const value = create(RestoreSnapshotSchema, {
    restoreId: command.restoreId,
    epoch: command.epoch,
    snapshotId: command.snapshotId,
    snapshotEpoch: command.snapshotEpoch,
    manifestHash: bytesOfHex(command.manifestHash),
    target: databaseReference(command.target),
    overwrite: command.overwrite,
    acceptedAt: timestampFromDate(command.acceptedAt),
    gracePeriodSeconds: command.graceSeconds,
  });
  return encode(id, { case: 'restoreSnapshot', value });
}

/** @param id `cmd_` + ULID */
export function encodeSnapshotDeletion(id: string, deletion: SnapshotDeletion): Uint8Array {
  const value = create(DeleteSnapshotSchema, {
    deletionId: deletion.id,
    snapshotId: deletion.snapshotId,
    beforeEpoch: deletion.beforeEpoch,
    store: bytesOfHex(deletion.store),
  });
  return encode(id, { case: 'deleteSnapshot', value });
}

function encode(id: string, command: Command['command']): Uint8Array {
  return toBinary(CommandSchema, create(CommandSchema, { id, command }));
}
