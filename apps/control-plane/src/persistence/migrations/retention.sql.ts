/** Personal data apart from the audit log, what retention may delete of the log, and indexes for what ends. */
export const ADD_RETENTION: readonly string[] = [
  // Entries name a member by id only. What leads from the id to a person is here, and can be erased.
  `CREATE TABLE audit_subjects (
    member_id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email text NOT NULL,
    CONSTRAINT audit_subjects_member_form CHECK (member_id ~ '^mem_[0-9A-HJKMNP-TV-Z]{26}$')
  )`,
  `DROP TRIGGER audit_entries_append_only ON audit_entries`,
  `INSERT INTO audit_subjects (member_id, organization_id, email)
    SELECT DISTINCT ON (target_id) target_id, organization_id, details ->> 'email' FROM audit_entries
    WHERE target_type = 'member' AND details ->> 'email' IS NOT NULL ORDER BY target_id, occurred_at DESC`,
  `UPDATE audit_entries SET details = details - 'email' WHERE target_type = 'member' AND details ? 'email'`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  // The transaction that deletes says how long entries are kept; nothing younger than 30 days is ever deleted.
  `CREATE FUNCTION refuse_early_audit_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    keep_days integer := nullif(current_setting('understudy.audit_keep_days', true), '')::integer;
  BEGIN
    IF keep_days >= 30 AND OLD.occurred_at < now() - make_interval(days => keep_days) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
  END $$`,
  `CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_early_audit_deletion()`,
  `CREATE INDEX audit_entries_oldest_first ON audit_entries (occurred_at)`,

  `CREATE INDEX api_tokens_ended ON api_tokens ((least(revoked_at, expires_at)))`,
  `CREATE INDEX enrolment_tokens_ended ON enrolment_tokens (expires_at)`,
  `CREATE INDEX snapshots_ended ON snapshots ((least(expired_at, delete_requested_at)))
    WHERE expired_at IS NOT NULL OR delete_requested_at IS NOT NULL`,
  `ALTER TABLE sync_jobs ADD COLUMN definition_reduced_at timestamptz`,
  `CREATE INDEX sync_jobs_to_reduce ON sync_jobs (completed_at)
    WHERE completed_at IS NOT NULL AND definition_reduced_at IS NULL`,
];

/** E-mail addresses that were moved stay out of the entries: they are gone with their table. */
export const DROP_RETENTION: readonly string[] = [
  `DROP INDEX sync_jobs_to_reduce`,
  `ALTER TABLE sync_jobs DROP COLUMN definition_reduced_at`,
  ...['snapshots_ended', 'enrolment_tokens_ended', 'api_tokens_ended', 'audit_entries_oldest_first'].map(
    (index) => `DROP INDEX ${index}`,
  ),
  `DROP TRIGGER audit_entries_kept ON audit_entries`,
  `DROP FUNCTION refuse_early_audit_deletion()`,
  `DROP TRIGGER audit_entries_append_only ON audit_entries`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `DROP TABLE audit_subjects`,
];
