/** Sync jobs, the progress of their tables, and the target cleanups that agents must do for failed jobs. */
export const SYNC_JOBS = `
CREATE TABLE sync_jobs (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  source_display text NOT NULL,
  target_display text NOT NULL,
  source jsonb NOT NULL,
  target jsonb NOT NULL,
  definition json NOT NULL, -- not jsonb: the order of keys is part of what the user wrote
  seed bigint NOT NULL,
  reference_instant timestamptz NOT NULL,
  rows_processed bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  epoch integer NOT NULL DEFAULT 0,
  last_seq integer NOT NULL DEFAULT 0,
  agent_id text REFERENCES agents (id) ON DELETE SET NULL,
  leased_at timestamptz,
  lease_expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  error_code text,
  error_message text,
  warnings jsonb NOT NULL DEFAULT '[]',
  models jsonb NOT NULL DEFAULT '[]',
  cancel_requested_at timestamptz,
  error_details jsonb NOT NULL DEFAULT '[]',
  prediction jsonb, -- the result of a dry run
  pace jsonb,
  phases jsonb NOT NULL DEFAULT '[]',
  verification jsonb,
  requires jsonb NOT NULL DEFAULT '{}', -- what an agent must offer to do the work
  sealed_to text[], -- the agents that can decrypt the URLs; null without a URL
  unmatched_since timestamptz,
  definition_reduced_at timestamptz,
  CONSTRAINT sync_jobs_id_form CHECK (id ~ '^job_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT sync_jobs_status_known CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  CONSTRAINT sync_jobs_seed_is_53_bits CHECK (seed BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT sync_jobs_rows_processed_safe CHECK (rows_processed BETWEEN 0 AND 9007199254740991),
  CONSTRAINT sync_jobs_counters_not_negative CHECK (attempts >= 0 AND epoch >= 0 AND last_seq >= 0),
  CONSTRAINT sync_jobs_lease_has_agent CHECK (lease_expires_at IS NULL OR leased_at IS NOT NULL),
  CONSTRAINT sync_jobs_ended_has_no_lease CHECK (status IN ('pending', 'running') OR lease_expires_at IS NULL),
  CONSTRAINT sync_jobs_pending_not_started CHECK (status <> 'pending' OR started_at IS NULL),
  CONSTRAINT sync_jobs_running_started CHECK (status <> 'running' OR started_at IS NOT NULL),
  CONSTRAINT sync_jobs_ended_at_when_ended CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed'))),
  CONSTRAINT sync_jobs_error_when_failed CHECK ((error_code IS NOT NULL) = (status = 'failed'))
);
CREATE INDEX sync_jobs_newest_first ON sync_jobs (organization_id, created_at DESC, id DESC);
CREATE INDEX sync_jobs_newest_first_by_status ON sync_jobs (organization_id, status, created_at DESC, id DESC);
CREATE INDEX sync_jobs_waiting ON sync_jobs (organization_id, created_at, id)
  WHERE status IN ('pending', 'running') AND lease_expires_at IS NULL;
CREATE INDEX sync_jobs_leases ON sync_jobs (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX sync_jobs_of_agent ON sync_jobs (agent_id, leased_at);
CREATE INDEX sync_jobs_to_reduce ON sync_jobs (completed_at)
  WHERE completed_at IS NOT NULL AND definition_reduced_at IS NULL;

CREATE TABLE sync_job_tables (
  job_id text NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  position integer NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  rows_processed bigint NOT NULL DEFAULT 0,
  rows_total bigint,
  bytes_processed bigint NOT NULL DEFAULT 0 CHECK (bytes_processed >= 0),
  bytes_total bigint CHECK (bytes_total >= 0),
  PRIMARY KEY (job_id, position),
  CONSTRAINT sync_job_tables_position_not_negative CHECK (position >= 0),
  CONSTRAINT sync_job_tables_status_known CHECK (
    status IN ('pending', 'copying', 'indexing', 'verifying', 'completed')
  ),
  CONSTRAINT sync_job_tables_rows_safe CHECK (
    rows_processed BETWEEN 0 AND 9007199254740991 AND rows_total BETWEEN 0 AND 9007199254740991
  )
);

-- Targets of failed jobs that an agent must clean up. A row is deleted after an agent has acknowledged it, or
-- after a day.
CREATE TABLE target_clearances (
  job_id text PRIMARY KEY, -- no reference: the job may be deleted first
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  epoch integer NOT NULL CHECK (epoch > 1),
  target jsonb NOT NULL,
  requested_at timestamptz NOT NULL,
  sent_at timestamptz,
  requires jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX target_clearances_oldest_first ON target_clearances (requested_at);
`;
