/** The audit log. Triggers of the database refuse any change of an entry. */
export const AUDIT_LOG = `
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id), -- no cascade: the log outlives its subject
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
  CONSTRAINT audit_entries_actor_known CHECK (
    actor_type IN ('token', 'member', 'agent', 'command_line', 'server')
  ),
  CONSTRAINT audit_entries_actor_has_id CHECK (
    (actor_id IS NULL) = (actor_type IN ('command_line', 'server'))
  ),
  CONSTRAINT audit_entries_action_form CHECK (action ~ '^[a-z_]+[.][a-z_]+$')
);
CREATE INDEX audit_entries_newest_first ON audit_entries (organization_id, occurred_at DESC, id DESC);
CREATE INDEX audit_entries_oldest_first ON audit_entries (occurred_at);
CREATE INDEX audit_entries_of_target ON audit_entries (organization_id, target_id, occurred_at DESC, id DESC);
CREATE INDEX audit_entries_of_action ON audit_entries (organization_id, action, occurred_at DESC, id DESC);
CREATE INDEX audit_entries_of_actor ON audit_entries (organization_id, actor_id, occurred_at DESC, id DESC);
CREATE INDEX audit_entries_of_actor_member
  ON audit_entries (organization_id, actor_member_id, occurred_at DESC, id DESC)
  WHERE actor_member_id IS NOT NULL;

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
  END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- A transaction that deletes entries must set how many days entries are kept, at least 30.
CREATE FUNCTION refuse_early_audit_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    keep_days integer := nullif(current_setting('understudy.audit_keep_days', true), '')::integer;
  BEGIN
    IF keep_days >= 30 AND OLD.occurred_at < now() - make_interval(days => keep_days) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
  END $$;
CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_early_audit_deletion();

-- Entries refer to a member by id only. This table maps the id to an e-mail address, and its rows can be erased.
CREATE TABLE audit_subjects (
  member_id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email text NOT NULL,
  CONSTRAINT audit_subjects_member_form CHECK (member_id ~ '^mem_[0-9A-HJKMNP-TV-Z]{26}$')
);
`;
