/** Targets of failed jobs that an agent is to clear; the row goes when one has answered, or when it is too old. */
export const CREATE_TARGET_CLEARANCES: readonly string[] = [
  `CREATE TABLE target_clearances (
    job_id text PRIMARY KEY, -- without a reference: the job may be deleted meanwhile
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    epoch integer NOT NULL CHECK (epoch > 1),
    target jsonb NOT NULL,
    requested_at timestamptz NOT NULL,
    sent_at timestamptz
  )`,
  `CREATE INDEX target_clearances_oldest_first ON target_clearances (requested_at)`,
];

export const DROP_TARGET_CLEARANCES: readonly string[] = ['DROP TABLE target_clearances'];
