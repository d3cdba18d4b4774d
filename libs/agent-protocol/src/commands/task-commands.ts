import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';

import type {
  ClearSyncTarget,
  ClearSyncTargetSchema,
  ErasePrivateModel,
  ErasePrivateModelSchema,
} from '../schema/index.js';
import { ID } from '../wire-values.js';
import { databaseOf, wireDatabase, type CommandDatabase } from './command-database.js';

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

export function wireErasure(erasure: ModelErasure): MessageInitShape<typeof ErasePrivateModelSchema> {
  const { id, name, requestedAt } = erasure;
  return { erasureId: id, name, requestedAt: timestampFromDate(requestedAt) };
}

/** @throws TypeError if a field is missing or invalid */
export function modelErasure({ erasureId, name, requestedAt }: ErasePrivateModel): ModelErasure {
  const known = ID.test(erasureId) && /^[A-Za-z0-9_.-]{1,128}$/.test(name) && requestedAt !== undefined;
  if (!known) throw new TypeError('expected an erasure with id, name and instant');
  return { id: erasureId, name, requestedAt: timestampDate(requestedAt) };
}

export function wireCleanup(cleanup: TargetCleanup): MessageInitShape<typeof ClearSyncTargetSchema> {
  const { jobId, epoch, target } = cleanup;
  return { jobId, epoch, target: wireDatabase(target) };
}

/** @throws TypeError if a field is missing or invalid */
export function targetCleanup({ jobId, epoch, target }: ClearSyncTarget): TargetCleanup {
  if (!ID.test(jobId) || epoch < 1) throw new TypeError('expected a target cleanup with id and epoch');
  return { jobId, epoch, target: databaseOf(target) };
}
