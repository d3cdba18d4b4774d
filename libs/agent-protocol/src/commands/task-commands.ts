import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';

import type {
  ClearSyncTarget,
  DropKeptDatabase,
  ErasePrivateModel,
  RevertReplacement,
} from '../schema/index.js';
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

/** A command that makes an agent drop the database that a change of a target has kept. */
export interface KeptDatabaseDrop {
  /** The job or restore that replaced the target. */
  readonly workId: string;
  /** The last change of the target: `workId`, or the id of the last revert. */
  readonly changeId: string;
  readonly target: CommandDatabase;
}

/** A command that makes an agent swap a target and the database that its last change has kept. */
export interface ReplacementRevert {
  /** `rvt_` + ULID */
  readonly revertId: string;
  /** The number of the command, from 1. */
  readonly attempt: number;
  /** The job that replaced the target. */
  readonly workId: string;
  /** The last change of the target: `workId`, or the id of an earlier revert. */
  readonly lastChangeId: string;
  readonly target: CommandDatabase;
  /** Whether to end the sessions that use the target, if the policy permits this. */
  readonly endSessions: boolean;
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
  drop_kept_database: commandKind({
    encode: ({ target, ...drop }: KeptDatabaseDrop) => ({
      case: 'dropKeptDatabase',
      value: { ...drop, target: wireDatabase(target) },
    }),
    decode: { dropKeptDatabase: keptDatabaseDrop },
  }),
  revert_replacement: commandKind({
    encode: ({ target, ...revert }: ReplacementRevert) => ({
      case: 'revertReplacement',
      value: { ...revert, target: wireDatabase(target) },
    }),
    decode: { revertReplacement: replacementRevert },
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

/** @throws TypeError if a field is missing or invalid */
function keptDatabaseDrop({ workId, changeId, target }: DropKeptDatabase): KeptDatabaseDrop {
  if (![workId, changeId].every((id) => ID.test(id))) throw new TypeError('expected a drop with ids');
  return { workId, changeId, target: databaseOf(target) };
}

/** @throws TypeError if a field is missing or invalid */
function replacementRevert(wire: RevertReplacement): ReplacementRevert {
  const { revertId, attempt, workId, lastChangeId, target, endSessions } = wire;
  if (![revertId, workId, lastChangeId].every((id) => ID.test(id)) || attempt < 1)
    throw new TypeError('expected a revert with ids and the number of the command');
  return { revertId, attempt, workId, lastChangeId, target: databaseOf(target), endSessions };
}
