import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import {
  AgentCapability,
  CommandSchema,
  enumName,
  UnlistedColumns,
  SourceCode,
  UnlistedTables,
  type ClearSyncTarget,
  type ErasePrivateModel,
  type HostedModel as WireHostedModel,
  type RunSyncJob,
  type TableRules as WireTableRules,
} from '@understudy/contract';
import { parseExactJson } from '@understudy/expression';
import type {
  HostedModel,
  SyncJobCommand,
  TableRules,
  UnlistedColumns as UnlistedColumnsName,
  SourceCodeMode,
  UnlistedTables as UnlistedTablesName,
} from '@understudy/sync-job';

import {
  receivedDeletion,
  receivedRestore,
  receivedSnapshot,
  type ReceivedDeletion,
  type ReceivedRestore,
  type ReceivedSnapshot,
} from './decode-snapshot-command.js';
import { graceSeconds, ID, receivedDatabase, type ReceivedDatabase } from './command-fields.js';

/** A decoded command. Its URLs are still sealed. */
export type ReceivedSyncJob = Omit<SyncJobCommand, 'source' | 'target'> & {
  readonly source: ReceivedDatabase;
  readonly target: ReceivedDatabase;
  /** See GrantedLease. */
  readonly graceSeconds: number;
};

export interface ModelErasure {
  readonly erasureId: string;
  /** The name of the private model, without `private/`. */
  readonly name: string;
  /** Time of the request on the clock of the control plane. */
  readonly requestedAt: Date;
}

/** A request to clean up the target of a failed job. The URL is still sealed. */
export interface TargetCleanup {
  readonly jobId: string;
  readonly epoch: number;
  readonly target: ReceivedDatabase;
}

export type ReceivedCommand =
  | { readonly pattern: 'run_sync_job'; readonly data: ReceivedSyncJob }
  | { readonly pattern: 'erase_private_model'; readonly data: ModelErasure }
  | { readonly pattern: 'create_snapshot'; readonly data: ReceivedSnapshot }
  | { readonly pattern: 'restore_snapshot'; readonly data: ReceivedRestore }
  | { readonly pattern: 'delete_snapshot'; readonly data: ReceivedDeletion }
  | { readonly pattern: 'clear_sync_target'; readonly data: TargetCleanup };

/**
 * Decodes a command.
 * @throws TypeError if this agent does not know the command or a field of it is invalid
 */
export function decodeCommand(bytes: Uint8Array): ReceivedCommand {
  const { command } = fromBinary(CommandSchema, bytes);
  switch (command.case) {
    case 'runSyncJob':
    case 'runRestrictedSyncJob':
    case 'runOptionedSyncJob':
    case 'runCapableSyncJob':
      return { pattern: 'run_sync_job', data: receivedSyncJob(command.value) };
    case 'erasePrivateModel':
      return { pattern: 'erase_private_model', data: modelErasure(command.value) };
    case 'createSnapshot':
      return { pattern: 'create_snapshot', data: receivedSnapshot(command.value) };
    case 'restoreSnapshot':
      return { pattern: 'restore_snapshot', data: receivedRestore(command.value) };
    case 'deleteSnapshot':
      return { pattern: 'delete_snapshot', data: receivedDeletion(command.value) };
    case 'clearSyncTarget':
    case 'clearOfferedSyncTarget':
      return { pattern: 'clear_sync_target', data: targetCleanup(command.value) };
    default:
      throw new TypeError('expected a command that this agent knows');
  }
}

function modelErasure({ erasureId, name, requestedAt }: ErasePrivateModel): ModelErasure {
  const known = ID.test(erasureId) && /^[A-Za-z0-9_.-]{1,128}$/.test(name) && requestedAt !== undefined;
  if (!known) throw new TypeError('expected an erasure with id, name and instant');
  return { erasureId, name, requestedAt: timestampDate(requestedAt) };
}

function targetCleanup({ jobId, epoch, target }: ClearSyncTarget): TargetCleanup {
  if (!ID.test(jobId) || epoch < 1) throw new TypeError('expected a target cleanup with id and epoch');
  return { jobId, epoch, target: receivedDatabase(target) };
}

function receivedSyncJob(job: RunSyncJob): ReceivedSyncJob {
  if (!ID.test(job.jobId) || job.epoch < 1 || job.referenceInstant === undefined) {
    throw new TypeError('expected a sync job with id, epoch and reference instant');
  }
  // A later version can have had this agent's id when the control plane chose it.
  if (job.needs.some((capability) => enumName(AgentCapability, capability) === undefined))
    throw new TypeError('expected a job that needs only capabilities of this agent');
  if (!Number.isSafeInteger(Number(job.seed))) throw new TypeError('expected a seed of at most 53 bits');
  return {
    jobId: job.jobId,
    epoch: job.epoch,
    seed: Number(job.seed),
    referenceInstantMs: timestampMs(job.referenceInstant),
    source: receivedDatabase(job.source),
    target: receivedDatabase(job.target),
    tables: job.tables.map(tableRules),
    unlistedColumns: unlistedColumns(job.unlistedColumns) ?? 'preserve',
    acceptedAtMs: job.acceptedAt === undefined ? Date.now() : timestampMs(job.acceptedAt),
    dryRun: job.dryRun,
    unlistedTables: unlistedTables(job.unlistedTables),
    ignoredTables: job.ignoredTables,
    refreshMaterializedViews: job.refreshMaterializedViews,
    ...(job.sourceCode === SourceCode.UNSPECIFIED ? {} : { sourceCode: sourceCode(job.sourceCode) }),
    graceSeconds: graceSeconds(job),
    hostedModels: job.hostedModels.map(hostedModel),
    compositions: job.compositions.map(({ use, definitionJson, sha256 }) => ({
      use,
      definitionJson,
      hash: Buffer.from(sha256).toString('hex'),
    })),
  };
}

function hostedModel({ id, sha256, byteLength }: WireHostedModel): HostedModel {
  if (!/^custom\/[A-Za-z0-9_.-]{1,128}$/.test(id) || sha256.length !== 32) {
    throw new TypeError('expected a hosted model with id and hash');
  }
  if (byteLength > MAX_MODEL_BYTES) throw new TypeError('expected a hosted model of at most 32 MiB');
  return { id, hash: Buffer.from(sha256).toString('hex'), byteLength };
}

function tableRules(table: WireTableRules): TableRules {
  const unlisted = unlistedColumns(table.unlistedColumns);
  return {
    name: table.name,
    columns: table.columns.map(({ name, ruleJson }) => ({ name, rule: parseExactJson(ruleJson) })),
    ...(unlisted === undefined ? {} : { unlistedColumns: unlisted }),
    ...tableSubset(table),
  };
}

function tableSubset({ where, limit }: WireTableRules): Pick<TableRules, 'subset'> {
  if (where === undefined && limit === undefined) return {};
  return {
    subset: { ...(where === undefined ? {} : { where }), ...(limit === undefined ? {} : { limit }) },
  };
}

/**
 * Decodes the mode for unlisted columns. Treats an unknown mode of a newer control plane as `reject`, the
 * strictest one.
 */
function unlistedColumns(value: UnlistedColumns): UnlistedColumnsName | undefined {
  return value === UnlistedColumns.UNSPECIFIED ? undefined : (enumName(UnlistedColumns, value) ?? 'reject');
}

/** Decodes the mode for unlisted tables. Treats an unknown mode of a newer control plane as `reject`. */
function unlistedTables(value: UnlistedTables): UnlistedTablesName {
  return value === UnlistedTables.UNSPECIFIED ? 'ignore' : (enumName(UnlistedTables, value) ?? 'reject');
}

/** Decodes the mode for code of the source. Treats an unknown mode of a newer control plane as `omit`. */
function sourceCode(value: SourceCode): SourceCodeMode {
  return enumName(SourceCode, value) ?? 'omit';
}

const MAX_MODEL_BYTES = 32 * 1024 * 1024;
