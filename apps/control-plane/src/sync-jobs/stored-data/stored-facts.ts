import type { SyncJobEntity } from '../sync-job.entity.js';
import type { SyncJobTableEntity } from '../sync-job-table.entity.js';

/** Who supplied a stored fact: the request for the job, an agent, or the control plane itself. */
export const FACT_ORIGINS = ['request', 'agent', 'control_plane'] as const;

/** A fact that the control plane stores about a job. */
export interface StoredFact {
  /** The path in the response of `getSyncJob`. Facts that this response does not show have a path of their own. */
  readonly path: string;
  readonly origin: (typeof FACT_ORIGINS)[number];
  readonly description: string;
  /** The columns that hold the fact, as `table.column`. */
  readonly columns: readonly string[];
  /** Returns the values; null and undefined mean that there is none yet. Absent for values that are not shown. */
  readonly values?: (job: StoredJob) => readonly FactValue[];
}

export interface StoredJob {
  readonly job: SyncJobEntity;
  readonly tables: readonly SyncJobTableEntity[];
}

export type FactValue = string | number | boolean | Date | null | undefined;

type Values = (stored: StoredJob) => readonly FactValue[];
type Origin = StoredFact['origin'];

/** Describes a fact that is in a column of `sync_jobs`. */
function ofJob(
  origin: Origin,
  path: string,
  column: string,
  description: string,
  values?: Values,
): StoredFact {
  return { path, origin, description, columns: [`sync_jobs.${column}`], ...(values ? { values } : {}) };
}

/** Describes a fact about each table of the job. */
function ofTables(
  origin: Origin,
  field: string,
  column: string,
  description: string,
  value: (table: SyncJobTableEntity) => FactValue,
): StoredFact {
  return {
    ...{ path: `table_progress[].${field}`, origin, description },
    columns: [`sync_job_tables.${column}`],
    values: ({ tables }) => tables.map(value),
  };
}

const FROM_REQUEST: readonly StoredFact[] = [
  ofJob('request', 'name', 'name', 'Name of the job.', ({ job }) => [job.name]),
  ofJob('request', 'source', 'source_display', 'Source database, without a password.', ({ job }) => [
    job.sourceDisplay,
  ]),
  ofJob('request', 'target', 'target_display', 'Target database, without a password.', ({ job }) => [
    job.targetDisplay,
  ]),
  {
    path: 'connections',
    origin: 'request',
    description:
      'The names of databases, or URLs that are encrypted for the agents that may run the job. The control plane cannot decrypt them, and deletes them when the job has ended.',
    columns: ['sync_jobs.source', 'sync_jobs.target'],
  },
  ofJob(
    'request',
    'definition',
    'definition',
    'Tables, columns, rules and conditions as you wrote them. A constant in a rule or condition is part of it.',
  ),
  ofJob('request', 'seed', 'seed', 'Seed of generated values. Random if the request has none.', ({ job }) => [
    job.seed,
  ]),
  ofJob('request', 'now', 'reference_instant', 'Time to which relative dates refer.', ({ job }) => [
    job.referenceInstant,
  ]),
  ofJob('request', 'agent', 'requires', 'Selection of agents.', ({ job: { requires } }) => [
    requires.id,
    requires.name,
    ...(requires.labels ?? []),
  ]),
  ofTables('request', 'name', 'name', 'Name of the table as in the request.', ({ name }) => name),
  {
    path: 'tables[]',
    origin: 'request',
    description: 'Position of each table in the request.',
    columns: ['sync_job_tables.position', 'sync_job_tables.job_id'],
    values: ({ tables }) => tables.map(({ position }) => position),
  },
];

const FROM_CONTROL_PLANE: readonly StoredFact[] = [
  ofJob('control_plane', 'id', 'id', 'Id of the job.', ({ job }) => [job.id]),
  ofJob('control_plane', 'organization_id', 'organization_id', 'Id of the organisation.', ({ job }) => [
    job.organizationId,
  ]),
  ofJob('control_plane', 'status', 'status', 'State of the job.', ({ job }) => [job.status]),
  ofJob('control_plane', 'attempts', 'attempts', 'Number of attempts.', ({ job }) => [job.attempts]),
  {
    path: 'lease',
    origin: 'control_plane',
    description: 'Number, times and limits of the leases of the job.',
    columns: [
      'sync_jobs.leased_at',
      'sync_jobs.lease_expires_at',
      'sync_jobs.grace_seconds',
      'sync_jobs.renewed_at',
      'sync_jobs.lost_leases',
      'sync_jobs.unmatched_since',
    ],
    values: ({ job }) => [
      job.leasedAt,
      job.leaseExpiresAt,
      job.graceSeconds,
      job.renewedAt,
      job.lostLeases,
      job.unmatchedSince,
    ],
  },
  ofJob('control_plane', 'epoch', 'epoch', 'Number of the last lease.', ({ job }) => [job.epoch]),
  {
    path: 'attempt_history[]',
    origin: 'control_plane',
    description: 'Agent, times, phases and error code of each attempt.',
    columns: ['sync_jobs.attempt_history'],
    values: ({ job }) =>
      job.attemptHistory.flatMap(({ number, agentId, startedAt, endedAt, outcome, errorCode, phases }) => [
        ...[number, agentId, startedAt, endedAt, outcome, errorCode],
        ...phases.flatMap((phase) => [phase.phase, phase.startedAt, phase.endedAt]),
      ]),
  },
  {
    path: 'revision',
    origin: 'control_plane',
    description: 'Number of changes of the tables, and its value at the last change of each table.',
    columns: ['sync_jobs.revision', 'sync_job_tables.revision'],
    values: ({ job, tables }) => [job.revision, ...tables.map(({ revision }) => revision)],
  },
  ofJob('control_plane', 'agent_id', 'agent_id', 'Id of the agent.', ({ job }) => [job.agentId]),
  ofJob(
    'control_plane',
    'encrypted_for',
    'sealed_to',
    'Ids of the agents that can decrypt the URLs of the job.',
    ({ job }) => job.sealedTo ?? [],
  ),
  ofJob('control_plane', 'created_at', 'created_at', 'Time of the request.', ({ job }) => [job.createdAt]),
  ofJob(
    'control_plane',
    'cancel_requested_at',
    'cancel_requested_at',
    'Time of the cancel request.',
    ({ job }) => [job.cancelRequestedAt],
  ),
  ofJob(
    'control_plane',
    'definition_reduced_at',
    'definition_reduced_at',
    'Time at which rules and conditions of an old job were deleted.',
    ({ job }) => [job.definitionReducedAt],
  ),
  {
    path: 'target_cleanup',
    origin: 'control_plane',
    description:
      'After a failed job, the same facts as above for up to a day, until an agent has cleaned up the target.',
    columns: [
      'target_clearances.job_id',
      'target_clearances.organization_id',
      'target_clearances.epoch',
      'target_clearances.target',
      'target_clearances.requested_at',
      'target_clearances.sent_at',
      'target_clearances.requires',
    ],
  },
];

const FROM_AGENT: readonly StoredFact[] = [
  ofJob('agent', 'last_event', 'last_seq', 'Number of the last event.', ({ job }) => [job.lastSeq]),
  ofJob('agent', 'started_at', 'started_at', 'Time of the first event.', ({ job }) => [job.startedAt]),
  ofJob('agent', 'completed_at', 'completed_at', 'Time of the last event.', ({ job }) => [job.completedAt]),
  ofJob(
    'agent',
    'link.snapshot_taken_at',
    'snapshot_taken_at',
    'Time since which the agent has held a snapshot of the source.',
    ({ job }) => [job.snapshotTakenAt],
  ),
  ofJob(
    'agent',
    'required_fingerprints',
    'requires',
    'Keyed hashes of the masking key and of the policy of the first attempt.',
    ({ job: { requires } }) => [requires.maskingKey, ...Object.values(requires.policies ?? {})],
  ),
  ofJob('agent', 'rows_processed', 'rows_processed', 'Number of copied rows of all tables.', ({ job }) => [
    job.rowsProcessed,
  ]),
  ofTables('agent', 'status', 'status', 'State of the table.', ({ status }) => status),
  ofTables(
    'agent',
    'rows_processed',
    'rows_processed',
    'Number of copied rows.',
    (table) => table.rowsProcessed,
  ),
  ofTables('agent', 'rows_total', 'rows_total', 'Number of rows to copy.', (table) => table.rowsTotal),
  ofTables('agent', 'bytes_processed', 'bytes_processed', 'Copied bytes.', (table) => table.bytesProcessed),
  ofTables('agent', 'bytes_total', 'bytes_total', 'Bytes to copy.', (table) => table.bytesTotal),
  ofJob('agent', 'progress', 'pace', 'Phase, throughput and estimated end.', ({ job: { throughput } }) => [
    throughput?.phase,
    throughput?.rowsPerSecond,
    throughput?.bytesPerSecond,
    throughput?.estimatedEnd,
  ]),
  ofJob('agent', 'phases[]', 'phases', 'Phases and their durations in milliseconds.', ({ job }) =>
    job.phases.flatMap(({ phase, durationMs }) => [phase, durationMs]),
  ),
  ofJob('agent', 'models[]', 'models', 'Names from your rules, and hashes of the models.', ({ job }) =>
    job.models.flatMap(({ name, hash }) => [name, hash]),
  ),
  ofJob(
    'agent',
    'verification.checks[]',
    'verification',
    'Kind, table, result and counts of each check. Names come from the request.',
    ({ job }) =>
      (job.verification?.checks ?? []).flatMap(({ check, table, ok, column, lookedAt, rows }) => [
        ...[check, table, ok, column, lookedAt],
        ...[rows?.source, rows?.copied, rows?.target],
      ]),
  ),
  ofJob(
    'agent',
    'warnings[]',
    'warnings',
    "Codes and messages. A message is the control plane's text with names of tables and columns.",
    ({ job }) => job.warnings.flatMap(({ code, field, message }) => [code, field, message]),
  ),
  ofJob('agent', 'error.code', 'error_code', 'Code of the failure.', ({ job }) => [job.errorCode]),
  ofJob(
    'agent',
    'error.message',
    'error_message',
    "The control plane's text with names from the catalogs of databases.",
    ({ job }) => [job.errorMessage],
  ),
  ofJob(
    'agent',
    'error.details[]',
    'error_details',
    "Paths in the request, and the control plane's texts with names from the catalogs of databases.",
    ({ job }) => job.errorDetails.flatMap(({ field, message }) => [field, message]),
  ),
  ofJob('agent', 'prediction', 'prediction', 'Expected failures and rows of a dry run.', ({ job }) => [
    job.prediction?.problemCount,
    ...(job.prediction?.problems ?? []).flatMap(({ code, message, details = [] }) => [
      ...[code, message],
      ...details.flatMap((detail) => [detail.field, detail.message]),
    ]),
    ...(job.prediction?.tables ?? []).flatMap(({ name, rows }) => [name, rows]),
  ]),
];

/** Everything that the control plane stores about a job. A test compares the columns with the database. */
export const STORED_FACTS: readonly StoredFact[] = [...FROM_AGENT, ...FROM_REQUEST, ...FROM_CONTROL_PLANE];
