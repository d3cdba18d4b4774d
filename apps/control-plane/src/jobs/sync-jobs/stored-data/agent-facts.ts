import { ofJob, ofTables, type StoredFact } from './stored-fact.js';

/** The facts that come from an agent's reports. */
export const FROM_AGENT: readonly StoredFact[] = [
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
  ofJob('agent', 'progress.build[]', 'pace', 'Counts and estimate of each phase of a build.', ({ job }) =>
    (job.throughput?.build ?? []).flatMap((phase) => Object.values(phase)),
  ),
  ofJob('agent', 'phases[]', 'phases', 'Phases and their durations in milliseconds.', ({ job }) =>
    job.phases.flatMap(({ phase, durationMs }) => [phase, durationMs]),
  ),
  ofJob(
    'agent',
    'attempt_history[].phases[]',
    'attempt_history',
    'Phases of each attempt, with the times of their reports.',
    ({ job }) =>
      job.attemptHistory.flatMap(({ phases }) =>
        phases.flatMap(({ phase, startedAt, endedAt }) => [phase, startedAt, endedAt]),
      ),
  ),
  ofJob(
    'agent',
    'attempt_history[].error_code',
    'attempt_history',
    'Code of the failure that ended each attempt.',
    ({ job }) => job.attemptHistory.map(({ errorCode }) => errorCode),
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
  ofJob(
    'agent',
    'left_out',
    'left_out',
    'Numbers of objects of the source that the target lacks, by kind.',
    ({ job }) => Object.values(job.leftOut ?? {}),
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
