import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import {
  CommandSchema,
  UnlistedColumns,
  type DatabaseReference as WireDatabaseReference,
  type RunSyncJob,
  type TableRules as WireTableRules,
} from '@understudy/contract';
import type { SealedBox } from '@understudy/sealed-box';

import type {
  SyncJobCommand,
  TableRules,
  UnlistedColumns as UnlistedColumnsName,
} from '../sync/sync-job-command.js';

/** A command as it came: URLs are sealed still. */
export type ReceivedSyncJob = Omit<SyncJobCommand, 'source' | 'target'> & {
  readonly source: ReceivedDatabase;
  readonly target: ReceivedDatabase;
};

export type ReceivedDatabase =
  { readonly kind: 'agent'; readonly name: string } | { readonly kind: 'sealed'; readonly box: SealedBox };

/** @throws when the bytes are no command this agent knows */
export function decodeCommand(bytes: Uint8Array): ReceivedSyncJob {
  const { command } = fromBinary(CommandSchema, bytes);
  if (command.case !== 'runSyncJob') throw new TypeError('not a command this agent knows');
  return receivedSyncJob(command.value);
}

function receivedSyncJob(job: RunSyncJob): ReceivedSyncJob {
  if (!/^[A-Za-z0-9_]{1,64}$/.test(job.jobId) || job.epoch < 1 || job.referenceInstant === undefined) {
    throw new TypeError('a sync job without id, epoch or reference instant');
  }
  if (job.seed > BigInt(Number.MAX_SAFE_INTEGER)) throw new TypeError('a seed beyond 53 bits');
  return {
    jobId: job.jobId,
    epoch: job.epoch,
    seed: Number(job.seed),
    referenceInstantMs: timestampMs(job.referenceInstant),
    source: receivedDatabase(job.source),
    target: receivedDatabase(job.target),
    tables: job.tables.map(tableRules),
    unlistedColumns: unlistedColumns(job.unlistedColumns) ?? 'preserve',
  };
}

function receivedDatabase(database: WireDatabaseReference | undefined): ReceivedDatabase {
  const reference = database?.reference;
  switch (reference?.case) {
    case 'agentDatabase':
      return { kind: 'agent', name: reference.value };
    case 'sealedUrl':
      return { kind: 'sealed', box: reference.value };
    default:
      throw new TypeError('a sync job without source or target');
  }
}

function tableRules(table: WireTableRules): TableRules {
  const unlisted = unlistedColumns(table.unlistedColumns);
  return {
    name: table.name,
    columns: table.columns.map(({ name, ruleJson }) => ({ name, rule: JSON.parse(ruleJson) as unknown })),
    ...(unlisted === undefined ? {} : { unlistedColumns: unlisted }),
  };
}

/** A value this agent does not know restricts more than it knows how to: reject is the safe reading. */
function unlistedColumns(value: UnlistedColumns): UnlistedColumnsName | undefined {
  switch (value) {
    case UnlistedColumns.UNSPECIFIED:
      return undefined;
    case UnlistedColumns.PRESERVE:
      return 'preserve';
    case UnlistedColumns.NULL:
      return 'null';
    default:
      return 'reject';
  }
}
