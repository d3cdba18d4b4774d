/** All tables of the control plane. Ids are prefix + ULID; names of constraints say table and meaning. */
export const CREATE_INITIAL_SCHEMA: readonly string[] = [
  `CREATE TABLE organizations (
    id text PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT organizations_id_form CHECK (id ~ '^org_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT organizations_plan_known CHECK (plan IN ('free', 'starter', 'team', 'business'))
  )`,
  `CREATE UNIQUE INDEX organizations_name_unique ON organizations (lower(name))`,

  `CREATE TABLE api_tokens (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    role text NOT NULL,
    token_hash bytea NOT NULL,
    token_hint text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT api_tokens_id_form CHECK (id ~ '^tok_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT api_tokens_role_known CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    CONSTRAINT api_tokens_hash_is_sha256 CHECK (octet_length(token_hash) = 32),
    CONSTRAINT api_tokens_hash_unique UNIQUE (token_hash)
  )`,
  `CREATE INDEX api_tokens_of_organization ON api_tokens (organization_id)`,

  `CREATE TABLE agents (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    nats_public_key text NOT NULL,
    sealing_public_key bytea NOT NULL,
    version text,
    enrolled_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz,
    free_slots integer NOT NULL DEFAULT 0,
    revoked_at timestamptz,
    CONSTRAINT agents_id_form CHECK (id ~ '^agt_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT agents_nats_public_key_unique UNIQUE (nats_public_key),
    CONSTRAINT agents_sealing_key_is_x25519 CHECK (octet_length(sealing_public_key) = 32),
    CONSTRAINT agents_free_slots_not_negative CHECK (free_slots >= 0)
  )`,
  `CREATE INDEX agents_of_organization ON agents (organization_id) WHERE revoked_at IS NULL`,

  `CREATE TABLE enrolment_tokens (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    agent_id text REFERENCES agents (id) ON DELETE SET NULL,
    CONSTRAINT enrolment_tokens_hash_is_sha256 CHECK (octet_length(token_hash) = 32),
    CONSTRAINT enrolment_tokens_hash_unique UNIQUE (token_hash),
    CONSTRAINT enrolment_tokens_agent_needs_use CHECK (agent_id IS NULL OR used_at IS NOT NULL)
  )`,
  `CREATE INDEX enrolment_tokens_of_organization ON enrolment_tokens (organization_id)`,

  `CREATE TABLE sync_jobs (
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
    CONSTRAINT sync_jobs_id_form CHECK (id ~ '^job_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT sync_jobs_status_known CHECK (status IN ('pending', 'running', 'completed', 'failed')),
    CONSTRAINT sync_jobs_seed_is_53_bits CHECK (seed BETWEEN 0 AND 9007199254740991),
    CONSTRAINT sync_jobs_rows_processed_safe CHECK (rows_processed BETWEEN 0 AND 9007199254740991),
    CONSTRAINT sync_jobs_counters_not_negative CHECK (attempts >= 0 AND epoch >= 0 AND last_seq >= 0),
    CONSTRAINT sync_jobs_lease_has_agent CHECK (lease_expires_at IS NULL OR leased_at IS NOT NULL),
    CONSTRAINT sync_jobs_ended_has_no_lease CHECK (status IN ('pending', 'running') OR lease_expires_at IS NULL),
    CONSTRAINT sync_jobs_pending_not_started CHECK (status <> 'pending' OR started_at IS NULL),
    CONSTRAINT sync_jobs_running_started CHECK (status <> 'running' OR started_at IS NOT NULL),
    CONSTRAINT sync_jobs_ended_at_when_ended CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed'))),
    CONSTRAINT sync_jobs_error_when_failed CHECK ((error_code IS NOT NULL) = (status = 'failed'))
  )`,
  `CREATE INDEX sync_jobs_newest_first ON sync_jobs (organization_id, created_at DESC, id DESC)`,
  `CREATE INDEX sync_jobs_newest_first_by_status ON sync_jobs (organization_id, status, created_at DESC, id DESC)`,
  `CREATE INDEX sync_jobs_waiting ON sync_jobs (organization_id, created_at, id)
    WHERE status IN ('pending', 'running') AND lease_expires_at IS NULL`,
  `CREATE INDEX sync_jobs_leases ON sync_jobs (lease_expires_at) WHERE lease_expires_at IS NOT NULL`,
  `CREATE INDEX sync_jobs_of_agent ON sync_jobs (agent_id, leased_at)`,

  `CREATE TABLE sync_job_tables (
    job_id text NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
    position integer NOT NULL,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    rows_processed bigint NOT NULL DEFAULT 0,
    rows_total bigint,
    PRIMARY KEY (job_id, position),
    CONSTRAINT sync_job_tables_position_not_negative CHECK (position >= 0),
    CONSTRAINT sync_job_tables_status_known CHECK (status IN ('pending', 'copying', 'completed')),
    CONSTRAINT sync_job_tables_rows_safe CHECK (
      rows_processed BETWEEN 0 AND 9007199254740991 AND rows_total BETWEEN 0 AND 9007199254740991
    )
  )`,

  `CREATE TABLE private_models (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    hash text NOT NULL,
    agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    trained_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, name),
    CONSTRAINT private_models_hash_form CHECK (hash ~ '^[0-9a-f]{64}$')
  )`,
  `CREATE INDEX private_models_of_agent ON private_models (agent_id)`,

  `CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    published_at timestamptz
  )`,
  `CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL`,
  `CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL`,
];

export const DROP_INITIAL_SCHEMA: readonly string[] = [
  'outbox',
  'private_models',
  'sync_job_tables',
  'sync_jobs',
  'enrolment_tokens',
  'agents',
  'api_tokens',
  'organizations',
].map((table) => `DROP TABLE ${table}`);
