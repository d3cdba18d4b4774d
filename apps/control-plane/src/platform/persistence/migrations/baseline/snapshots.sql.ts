/** The columns for work that an agent performs under a lease. `sync_jobs` has them in another order. */
const WORK_COLUMNS = `
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  epoch integer NOT NULL DEFAULT 0,
  last_seq integer NOT NULL DEFAULT 0,
  agent_id text REFERENCES agents (id) ON DELETE SET NULL,
  leased_at timestamptz,
  lease_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  completed_at timestamptz,
  cancel_requested_at timestamptz,
  error_code text,
  error_message text,
  error_details jsonb NOT NULL DEFAULT '[]',
  progress jsonb,
  requires jsonb NOT NULL DEFAULT '{}', -- what an agent must offer to do the work
  sealed_to text[], -- the agents that can decrypt the URLs; null without a URL
  unmatched_since timestamptz`;

const workChecks = (table: string): string => `
  CONSTRAINT ${table}_status_known CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  CONSTRAINT ${table}_counters_not_negative CHECK (attempts >= 0 AND epoch >= 0 AND last_seq >= 0),
  CONSTRAINT ${table}_lease_has_agent CHECK (lease_expires_at IS NULL OR leased_at IS NOT NULL),
  CONSTRAINT ${table}_ended_has_no_lease CHECK (status IN ('pending', 'running') OR lease_expires_at IS NULL),
  CONSTRAINT ${table}_ended_at_when_ended CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed'))),
  CONSTRAINT ${table}_error_when_failed CHECK ((error_code IS NOT NULL) = (status = 'failed'))`;

const workIndexes = (table: string): string => `
CREATE INDEX ${table}_waiting ON ${table} (organization_id, created_at, id)
  WHERE status IN ('pending', 'running') AND lease_expires_at IS NULL;
CREATE INDEX ${table}_leases ON ${table} (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ${table}_of_agent ON ${table} (agent_id, leased_at);`;

/**
 * Snapshots, their restores, and the archives that agents are to delete. The archives themselves are stored
 * by agents, not in this database.
 */
export const SNAPSHOTS = `
CREATE TABLE snapshots (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  database_display text NOT NULL,
  database jsonb NOT NULL,
  asked_tables jsonb NOT NULL,
  tables jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  size_bytes bigint NOT NULL DEFAULT 0,
  made jsonb, -- the agent's report of the finished snapshot
  expired_at timestamptz,
  delete_requested_at timestamptz,${WORK_COLUMNS},
  CONSTRAINT snapshots_id_form CHECK (id ~ '^snap_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT snapshots_size_safe CHECK (size_bytes BETWEEN 0 AND 9007199254740991),
  CONSTRAINT snapshots_made_when_completed CHECK ((made IS NOT NULL) = (status = 'completed')),${workChecks('snapshots')}
);
CREATE INDEX snapshots_newest_first ON snapshots (organization_id, created_at DESC, id DESC);
CREATE INDEX snapshots_to_expire ON snapshots (expires_at)
  WHERE expired_at IS NULL AND delete_requested_at IS NULL AND status <> 'failed';
CREATE INDEX snapshots_ended ON snapshots ((least(expired_at, delete_requested_at)))
  WHERE expired_at IS NOT NULL OR delete_requested_at IS NOT NULL;${workIndexes('snapshots')}

CREATE TABLE snapshot_restores (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  snapshot_id text NOT NULL REFERENCES snapshots (id) ON DELETE CASCADE,
  target_display text NOT NULL,
  target jsonb NOT NULL,
  overwrite boolean NOT NULL,${WORK_COLUMNS},
  CONSTRAINT snapshot_restores_id_form CHECK (id ~ '^rst_[0-9A-HJKMNP-TV-Z]{26}$'),${workChecks('snapshot_restores')}
);
CREATE INDEX snapshot_restores_of_snapshot ON snapshot_restores (snapshot_id);${workIndexes('snapshot_restores')}

-- No foreign key to the snapshot, because an archive of an unknown snapshot must be deleted, too.
CREATE TABLE snapshot_deletions (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  snapshot_id text NOT NULL,
  store text NOT NULL,
  before_epoch integer NOT NULL,
  requested_at timestamptz NOT NULL,
  sent_at timestamptz,
  refused_code text,
  refused_until timestamptz,
  CONSTRAINT snapshot_deletions_id_form CHECK (id ~ '^del_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT snapshot_deletions_store_form CHECK (store ~ '^[0-9a-f]{32}$'),
  CONSTRAINT snapshot_deletions_once UNIQUE (snapshot_id, store, before_epoch)
);
CREATE INDEX snapshot_deletions_of_store ON snapshot_deletions (organization_id, store, requested_at);
`;
