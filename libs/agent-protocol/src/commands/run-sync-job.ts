import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { parseExactJson, writeExactJson } from '@understudy/expression';
import { jobOptions, MAX_TABLES_BYTES, requestedOptions, UNLISTED_COLUMNS } from '@understudy/sync-job';
import type * as job from '@understudy/sync-job';

import { capabilitiesOf, FIRST_CHECKED_NUMBER, neededCapabilities, numbersOf } from '../capabilities.js';
import {
  enumName,
  enumValue,
  SourceCode,
  UnlistedTables,
  type FetchedTables,
  type HostedModel,
  type RunSyncJob,
  type TableRules,
} from '../schema/index.js';
import { bytesOfHex, defined, hexOf, ID } from '../wire-values.js';
import { databaseOf, graceSeconds, wireDatabase, type CommandDatabase } from './command-database.js';
import { commandKind, type CommandKind } from './command-kind.js';
import { readOptions, writeOptions } from './options-json.js';

/** A command that makes an agent run a sync job. URLs are still sealed. */
export type SyncJobCommand = job.SyncJobCommand<CommandDatabase> & {
  /** The grace period of the lease. A command that is sent again contains the same value. */
  readonly graceSeconds: number;
};

export const JOB_COMMANDS = {
  run_sync_job: commandKind({
    encode: wireSyncJob,
    decode: {
      runSyncJob: syncJobCommand,
      runRestrictedSyncJob: syncJobCommand,
      runOptionedSyncJob: syncJobCommand,
      runCapableSyncJob: syncJobCommand,
    },
    key: ({ jobId, epoch }, agentId) => `${jobId}.${epoch}.${agentId}`,
  }),
};

function wireSyncJob(command: SyncJobCommand): ReturnType<CommandKind<SyncJobCommand>['encode']> {
  const needs = numbersOf(neededCapabilities(command));
  return {
    case: kindOf(command, needs),
    value: {
      jobId: command.jobId,
      epoch: command.epoch,
      seed: BigInt(command.seed),
      referenceInstant: timestampFromMs(command.referenceInstantMs),
      source: wireDatabase(command.source),
      target: wireDatabase(command.target),
      tables: command.tables.map(wireTable),
      unlistedColumns: modeNumber(command.unlistedColumns),
      acceptedAt: timestampFromMs(command.acceptedAtMs),
      dryRun: command.dryRun ?? false,
      unlistedTables: enumValue(UnlistedTables, command.unlistedTables),
      ignoredTables: [...(command.ignoredTables ?? [])],
      refreshMaterializedViews: command.refreshMaterializedViews ?? false,
      sourceCode: enumValue(SourceCode, command.sourceCode),
      optionsJson: writeOptions(requestedOptions(command)),
      needs: [...needs],
      gracePeriodSeconds: command.graceSeconds,
      ...defined({ fetchedTables: command.fetchedTables && wireFetched(command.fetchedTables) }),
      hostedModels: command.hostedModels.map(({ id, hash, byteLength }) => ({
        id,
        sha256: bytesOfHex(hash),
        byteLength,
      })),
      compositions: command.compositions.map(({ use, definitionJson, hash }) => ({
        use,
        definitionJson,
        sha256: bytesOfHex(hash),
      })),
    },
  };
}

/**
 * Returns the kind of command. A job that is a dry run, copies a subset or needs a capability is a kind of its own.
 * An agent that does not know the kind refuses it, instead of ignoring the restriction and copying everything.
 */
function kindOf({ dryRun, tables }: SyncJobCommand, needs: readonly number[]) {
  if (needs.some((number) => number >= FIRST_CHECKED_NUMBER)) return 'runCapableSyncJob';
  if (needs.length > 0) return 'runOptionedSyncJob';
  const isRestricted = dryRun === true || tables.some(({ subset }) => subset !== undefined);
  return isRestricted ? 'runRestrictedSyncJob' : 'runSyncJob';
}

/** @throws TypeError if a field is invalid, or the job needs a capability that this agent lacks */
function syncJobCommand(wire: RunSyncJob): SyncJobCommand {
  if (!ID.test(wire.jobId) || wire.epoch < 1 || wire.referenceInstant === undefined) {
    throw new TypeError('expected a sync job with id, epoch and reference instant');
  }
  // A later version can have had this agent's id when the control plane chose it.
  if (wire.needs.some((number) => capabilitiesOf([number]).length === 0))
    throw new TypeError('expected a job that needs only capabilities of this agent');
  if (!Number.isSafeInteger(Number(wire.seed))) throw new TypeError('expected a seed of at most 53 bits');
  return {
    jobId: wire.jobId,
    epoch: wire.epoch,
    seed: Number(wire.seed),
    referenceInstantMs: timestampMs(wire.referenceInstant),
    source: databaseOf(wire.source),
    target: databaseOf(wire.target),
    tables: wire.tables.map(tableOf),
    unlistedColumns: unlistedColumns(wire.unlistedColumns) ?? 'preserve',
    acceptedAtMs: wire.acceptedAt === undefined ? Date.now() : timestampMs(wire.acceptedAt),
    dryRun: wire.dryRun,
    unlistedTables: unlistedTables(wire.unlistedTables),
    ignoredTables: wire.ignoredTables,
    refreshMaterializedViews: wire.refreshMaterializedViews,
    ...defined({ sourceCode: sourceCode(wire.sourceCode) }),
    ...jobOptions(readOptions(wire.optionsJson)),
    graceSeconds: graceSeconds(wire),
    ...defined({ fetchedTables: wire.fetchedTables && fetchedTablesOf(wire.fetchedTables) }),
    hostedModels: wire.hostedModels.map(modelOf),
    compositions: wire.compositions.map(({ use, definitionJson, sha256 }) => ({
      use,
      definitionJson,
      hash: hexOf(sha256),
    })),
  };
}

function modelOf({ id, sha256, byteLength }: HostedModel): job.HostedModel {
  if (!/^custom\/[A-Za-z0-9_.-]{1,128}$/.test(id) || sha256.length !== 32) {
    throw new TypeError('expected a hosted model with id and hash');
  }
  if (byteLength > MAX_MODEL_BYTES) throw new TypeError('expected a hosted model of at most 32 MiB');
  return { id, hash: hexOf(sha256), byteLength };
}

function wireFetched({ hash, byteLength }: job.FetchedTables) {
  return { sha256: bytesOfHex(hash), byteLength };
}

function fetchedTablesOf({ sha256, byteLength }: FetchedTables): job.FetchedTables {
  if (sha256.length !== 32 || byteLength > MAX_TABLES_BYTES)
    throw new TypeError(`expected fetched tables with a hash and at most ${MAX_TABLES_BYTES} bytes`);
  return { hash: hexOf(sha256), byteLength };
}

function wireTable({ name, columns, subset = {}, ...table }: job.TableRules) {
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, ruleJson: writeExactJson(column.rule) })),
    unlistedColumns: modeNumber(table.unlistedColumns),
    withoutRows: table.rows === 'none',
    ...defined({ where: subset.where, limit: subset.limit }),
  };
}

function tableOf({ name, columns, where, limit, withoutRows, ...table }: TableRules): job.TableRules {
  const hasSubset = where !== undefined || limit !== undefined;
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, rule: parseExactJson(column.ruleJson) })),
    ...defined({
      unlistedColumns: unlistedColumns(table.unlistedColumns),
      subset: hasSubset ? defined({ where, limit }) : undefined,
      rows: withoutRows ? ('none' as const) : undefined,
    }),
  };
}

/** Returns the number of a mode for unlisted columns: its position in the list, from 1. */
function modeNumber(mode: job.UnlistedColumns | undefined): number {
  return mode === undefined ? 0 : UNLISTED_COLUMNS.indexOf(mode) + 1;
}

/**
 * Decodes the mode for unlisted columns. Treats an unknown mode of a newer control plane as `reject`, the
 * strictest one.
 */
function unlistedColumns(number: number): job.UnlistedColumns | undefined {
  return number === 0 ? undefined : (UNLISTED_COLUMNS[number - 1] ?? 'reject');
}

/** Decodes the mode for unlisted tables. Treats an unknown mode of a newer control plane as `reject`. */
function unlistedTables(value: UnlistedTables): job.UnlistedTables {
  return value === UnlistedTables.UNSPECIFIED ? 'ignore' : (enumName(UnlistedTables, value) ?? 'reject');
}

/** Decodes the mode for code of the source. Treats an unknown mode of a newer control plane as `omit`. */
function sourceCode(value: SourceCode): job.SourceCodeMode | undefined {
  return value === SourceCode.UNSPECIFIED ? undefined : (enumName(SourceCode, value) ?? 'omit');
}

const MAX_MODEL_BYTES = 32 * 1024 * 1024;
