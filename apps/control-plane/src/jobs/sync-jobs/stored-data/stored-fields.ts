const FAILURE = ['error.message', 'error.details[]', 'prediction'];

/**
 * The facts in which the control plane stores a field, by message and field. An empty list means that it
 * stores nothing. A message with one list has the same facts for all its fields. A test demands an entry for
 * each field except nested messages.
 */
export const STORED_IN: Readonly<
  Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>
> = {
  Event: { journal_seq: [], occurred_at: ['started_at', 'completed_at'] },
  Lease: { job_id: ['id'], epoch: ['epoch'], snapshot_age_seconds: ['link.snapshot_taken_at'] },
  AgentFingerprint: ['required_fingerprints'],
  SyncTargetCleared: [],
  SyncJobEvent: { job_id: ['id'], epoch: ['epoch'], seq: ['last_event'] },
  SyncJobProgress: {
    ...each(['rows_per_second', 'bytes_per_second', 'remaining_ms'], ['progress']),
    phase: ['progress', 'attempt_history[].phases[]'],
  },
  BuildProgress: ['progress.build[]'],
  TableProgress: {
    table_index: ['tables[]'],
    rows_processed: ['table_progress[].rows_processed', 'rows_processed'],
    rows_total: ['table_progress[].rows_total'],
    state: ['table_progress[].status'],
    bytes_processed: ['table_progress[].bytes_processed'],
    bytes_total: ['table_progress[].bytes_total'],
  },
  PhaseDuration: ['phases[]'],
  SyncJobModelTrained: ['models[]'],
  ModelHash: ['models[]'],
  SyncJobCompleted: [],
  VerificationCheck: ['verification.checks[]'],
  RowCounts: ['verification.checks[]'],
  SyncJobPredicted: ['prediction'],
  LeftOut: ['left_out'],
  ExpectedRows: ['prediction'],
  SyncJobWarning: ['warnings[]'],
  SyncJobFailed: {
    ...each(['side', 'table_index', 'column_index', 'constraint_kind', 'sqlstate', 'problem_count'], FAILURE),
    code: ['error.code', 'attempt_history[].error_code', 'prediction'],
  },
  SyncProblem: FAILURE,
  NamedObject: FAILURE,
  UnlistedTable: FAILURE,
  ColumnType: FAILURE,
  MissingPrivilege: FAILURE,
  SqlName: FAILURE,
};

function each(fields: readonly string[], facts: readonly string[]) {
  return Object.fromEntries(fields.map((field) => [field, facts]));
}

/**
 * Returns the paths of the facts in which a field is stored.
 * @returns undefined if no entry covers the field
 */
export function factsOf(message: string, field: string): readonly string[] | undefined {
  const entry = STORED_IN[message];
  return entry === undefined || isList(entry) ? entry : entry[field];
}

function isList(entry: object): entry is readonly string[] {
  return Array.isArray(entry);
}
