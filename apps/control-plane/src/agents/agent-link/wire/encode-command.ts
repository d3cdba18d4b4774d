import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  AgentCapability,
  ClearSyncTargetSchema,
  CommandSchema,
  DatabaseReferenceSchema,
  enumValue,
  ErasePrivateModelSchema,
  RunSyncJobSchema,
  TableRulesSchema,
  UnlistedColumns,
  SourceCode,
  UnlistedTables,
  type DatabaseReference,
} from '@understudy/contract';

import { writeExactJson } from '@understudy/expression';
import { type AgentCapability as AgentCapabilityName, neededCapabilities } from '@understudy/sync-job';

import type {
  CommandDatabase,
  ModelErasure,
  SyncJobCommand,
  TargetCleanup,
} from '../messages/sync-job-command.js';
import { bytesOfHex } from './wire-values.js';

/** @param id `cmd_` + ULID */
export function encodeSyncJobCommand(id: string, command: SyncJobCommand): Uint8Array {
  const needs = neededCapabilities(command);
  const runSyncJob = create(RunSyncJobSchema, {
    jobId: command.jobId,
    epoch: command.epoch,
    seed: BigInt(command.seed),
    referenceInstant: timestampFromMs(command.referenceInstantMs),
    source: databaseReference(command.source),
    target: databaseReference(command.target),
    tables: command.tables.map((table) =>
      create(TableRulesSchema, {
        name: table.name,
        columns: table.columns.map(({ name, rule }) => ({ name, ruleJson: writeExactJson(rule) })),
        unlistedColumns: enumValue(UnlistedColumns, table.unlistedColumns),
        ...(table.subset?.where === undefined ? {} : { where: table.subset.where }),
        ...(table.subset?.limit === undefined ? {} : { limit: table.subset.limit }),
      }),
    ),
    unlistedColumns: enumValue(UnlistedColumns, command.unlistedColumns),
    acceptedAt: timestampFromMs(command.acceptedAtMs),
    dryRun: command.dryRun,
    unlistedTables: enumValue(UnlistedTables, command.unlistedTables),
    ignoredTables: [...(command.ignoredTables ?? [])],
    refreshMaterializedViews: command.refreshMaterializedViews ?? false,
    sourceCode: enumValue(SourceCode, command.sourceCode),
    needs: needs.map((capability) => enumValue(AgentCapability, capability)),
    gracePeriodSeconds: command.graceSeconds,
    hostedModels: command.hostedModels.map(({ id, hash, byteLength }) => ({
      id,
      sha256: new Uint8Array(Buffer.from(hash, 'hex')),
      byteLength,
    })),
    compositions: command.compositions.map(({ use, definitionJson, hash }) => ({
      use,
      definitionJson,
      sha256: new Uint8Array(Buffer.from(hash, 'hex')),
    })),
  });
  return toBinary(
    CommandSchema,
    create(CommandSchema, {
      id,
      command: { case: caseOf(command, needs), value: runSyncJob },
    }),
  );
}

/**
 * Returns the kind of command. A job that is a dry run, copies a subset or has options is sent as a kind of its
 * own. An older agent refuses this kind, instead of ignoring the restriction and copying everything.
 */
function caseOf(command: SyncJobCommand, needs: readonly AgentCapabilityName[]) {
  if (needs.some((capability) => !OPTIONS.has(capability))) return 'runCapableSyncJob' as const;
  if (needs.length > 0) return 'runOptionedSyncJob' as const;
  const isRestricted = command.dryRun === true || command.tables.some(({ subset }) => subset !== undefined);
  return isRestricted ? ('runRestrictedSyncJob' as const) : ('runSyncJob' as const);
}

/** The capabilities of every agent that knows `runOptionedSyncJob`. */
const OPTIONS: ReadonlySet<AgentCapabilityName> = new Set([
  'unlisted_tables',
  'refresh_materialized_views',
  'source_code',
]);

/** @param id `cmd_` + ULID */
export function encodeModelErasure(id: string, erasure: ModelErasure): Uint8Array {
  const value = create(ErasePrivateModelSchema, {
    erasureId: erasure.id,
    name: erasure.name,
    requestedAt: timestampFromDate(erasure.requestedAt),
  });
  return toBinary(
    CommandSchema,
    create(CommandSchema, { id, command: { case: 'erasePrivateModel', value } }),
  );
}

/** @param id `cmd_` + ULID */
export function encodeTargetCleanup(id: string, { jobId, epoch, target }: TargetCleanup): Uint8Array {
  const value = create(ClearSyncTargetSchema, { jobId, epoch, target: databaseReference(target) });
  const kind = target.offer === undefined ? 'clearSyncTarget' : 'clearOfferedSyncTarget';
  return toBinary(CommandSchema, create(CommandSchema, { id, command: { case: kind, value } }));
}

export function databaseReference(database: CommandDatabase): DatabaseReference {
  const { offer } = database;
  return create(DatabaseReferenceSchema, {
    reference:
      database.kind === 'agent'
        ? { case: 'agentDatabase', value: database.name }
        : {
            case: 'sealedUrl',
            value: { encapsulatedKey: database.encapsulatedKey, ciphertext: database.ciphertext },
          },
    ...(offer === undefined
      ? {}
      : { offer: { policy: bytesOfHex(offer.policy), maskingKey: bytesOfHex(offer.maskingKey) } }),
  });
}
