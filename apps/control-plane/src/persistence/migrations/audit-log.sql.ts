/** Who did what. Rows are added and never changed: the database itself refuses, whoever asks. */
export const CREATE_AUDIT_LOG: readonly string[] = [
  `CREATE TABLE audit_entries (
    id text PRIMARY KEY,
    -- No cascade: an organisation's history outlives what it tells of.
    organization_id text NOT NULL REFERENCES organizations (id),
    occurred_at timestamptz NOT NULL,
    actor_type text NOT NULL,
    actor_id text,
    actor_member_id text,
    action text NOT NULL,
    target_type text NOT NULL,
    target_id text NOT NULL,
    request_id text,
    details jsonb NOT NULL,
    CONSTRAINT audit_entries_id_form CHECK (id ~ '^aud_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT audit_entries_actor_known CHECK (actor_type IN ('token', 'member', 'agent', 'command_line')),
    CONSTRAINT audit_entries_actor_has_id CHECK ((actor_id IS NULL) = (actor_type = 'command_line')),
    CONSTRAINT audit_entries_action_form CHECK (action ~ '^[a-z_]+[.][a-z_]+$')
  )`,
  `CREATE INDEX audit_entries_newest_first ON audit_entries (organization_id, occurred_at DESC, id DESC)`,
  `CREATE INDEX audit_entries_of_target ON audit_entries (organization_id, target_id, occurred_at DESC, id DESC)`,
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
  END $$`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
];

export const DROP_AUDIT_LOG: readonly string[] = [
  `DROP TABLE audit_entries`,
  `DROP FUNCTION refuse_audit_change()`,
];
