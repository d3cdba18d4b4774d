import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf';

import { CommandSchema } from '../schema/index.js';
import { bytesOf } from '../wire-values.js';
import { syncJobCommand, wireSyncJob, type SyncJobCommand } from './run-sync-job.js';
import {
  restoreCommand,
  snapshotCommand,
  snapshotDeletion,
  wireDeletion,
  wireRestore,
  wireSnapshot,
  type RestoreCommand,
  type SnapshotCommand,
  type SnapshotDeletion,
} from './snapshot-commands.js';
import {
  modelErasure,
  targetCleanup,
  wireCleanup,
  wireErasure,
  type ModelErasure,
  type TargetCleanup,
} from './task-commands.js';

/** The pattern of the agent's handler, and the data that the handler receives. */
export type AgentCommand =
  | { readonly pattern: 'run_sync_job'; readonly data: SyncJobCommand }
  | { readonly pattern: 'erase_private_model'; readonly data: ModelErasure }
  | { readonly pattern: 'create_snapshot'; readonly data: SnapshotCommand }
  | { readonly pattern: 'restore_snapshot'; readonly data: RestoreCommand }
  | { readonly pattern: 'delete_snapshot'; readonly data: SnapshotDeletion }
  | { readonly pattern: 'clear_sync_target'; readonly data: TargetCleanup };

/** @param id `cmd_` + ULID */
export function encodeCommand(id: string, command: AgentCommand): Uint8Array {
  return bytesOf(CommandSchema, { id, command: wireCommand(command) });
}

function wireCommand({
  pattern,
  data,
}: AgentCommand): NonNullable<MessageInitShape<typeof CommandSchema>['command']> {
  switch (pattern) {
    case 'run_sync_job':
      return wireSyncJob(data);
    case 'erase_private_model':
      return { case: 'erasePrivateModel', value: wireErasure(data) };
    case 'create_snapshot':
      return { case: 'createSnapshot', value: wireSnapshot(data) };
    case 'restore_snapshot':
      return { case: 'restoreSnapshot', value: wireRestore(data) };
    case 'delete_snapshot':
      return { case: 'deleteSnapshot', value: wireDeletion(data) };
    case 'clear_sync_target': {
      const kind = data.target.offer === undefined ? 'clearSyncTarget' : 'clearOfferedSyncTarget';
      return { case: kind, value: wireCleanup(data) };
    }
  }
}

/**
 * Decodes a command.
 * @throws TypeError if this agent does not know the command or a field of it is invalid
 */
export function decodeCommand(bytes: Uint8Array): AgentCommand {
  const { command } = fromBinary(CommandSchema, bytes);
  switch (command.case) {
    case 'runSyncJob':
    case 'runRestrictedSyncJob':
    case 'runOptionedSyncJob':
    case 'runCapableSyncJob':
      return { pattern: 'run_sync_job', data: syncJobCommand(command.value) };
    case 'erasePrivateModel':
      return { pattern: 'erase_private_model', data: modelErasure(command.value) };
    case 'createSnapshot':
      return { pattern: 'create_snapshot', data: snapshotCommand(command.value) };
    case 'restoreSnapshot':
      return { pattern: 'restore_snapshot', data: restoreCommand(command.value) };
    case 'deleteSnapshot':
      return { pattern: 'delete_snapshot', data: snapshotDeletion(command.value) };
    case 'clearSyncTarget':
    case 'clearOfferedSyncTarget':
      return { pattern: 'clear_sync_target', data: targetCleanup(command.value) };
    default:
      throw new TypeError('expected a command that this agent knows');
  }
}
