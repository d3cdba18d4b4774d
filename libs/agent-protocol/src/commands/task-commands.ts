import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';

import type { ClearSyncTarget, ErasePrivateModel } from '../schema/index.js';
import { ID } from '../wire-values.js';
import { databaseOf, wireDatabase, type CommandDatabase } from './command-database.js';
import { commandKind } from './command-kind.js';

/** A command that makes an agent delete a private model. */
export interface ModelErasure {
  /** `ers_` + ULID */
  readonly id: string;
  /** The model's name without the prefix `private/`. */
  readonly name: string;
  /** Time of the request on the clock of the control plane. */
  readonly requestedAt: Date;
}

/** A command that makes an agent remove the staging schemas of a failed job from its target. */
export interface TargetCleanup {
  readonly jobId: string;
  /** Higher than the epoch of every attempt of the job. */
  readonly epoch: number;
  readonly target: CommandDatabase;
}

export const TASK_COMMANDS = {
  erase_private_model: commandKind({
    encode: ({ id, name, requestedAt }: ModelErasure) => ({
      case: 'erasePrivateModel',
      value: { erasureId: id, name, requestedAt: timestampFromDate(requestedAt) },
    }),
    decode: { erasePrivateModel: modelErasure },
    key: ({ id }) => id,
  }),
  clear_sync_target: commandKind({
    encode: ({ jobId, epoch, target }: TargetCleanup) => ({
      case: target.offer === undefined ? 'clearSyncTarget' : 'clearOfferedSyncTarget',
      value: { jobId, epoch, target: wireDatabase(target) },
    }),
    decode: { clearSyncTarget: targetCleanup, clearOfferedSyncTarget: targetCleanup },
  }),
};

/** @throws TypeError if a field is missing or invalid */
function modelErasure({ erasureId, name, requestedAt }: ErasePrivateModel): ModelErasure {
  const known = ID.test(erasureId) && /^[A-Za-z0-9_.-]{1,128}$/.test(name) && requestedAt !== undefined;
  if (!known) throw new TypeError('expected an erasure with id, name and instant');
  return { id: erasureId, name, requestedAt: timestampDate(requestedAt) };
}

/** @throws TypeError if a field is missing or invalid */
function targetCleanup({ jobId, epoch, target }: ClearSyncTarget): TargetCleanup {
  if (!ID.test(jobId) || epoch < 1) throw new TypeError('expected a target cleanup with id and epoch');
  return { jobId, epoch, target: databaseOf(target) };
}
