/** Models that were uploaded by organisations or trained by agents, and the compositions of organisations. */
export const MODELS = `
CREATE TABLE custom_models (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  locale text NOT NULL,
  ngram_order integer NOT NULL,
  token_type text NOT NULL,
  token_count bigint NOT NULL,
  ngram_count bigint NOT NULL,
  facts jsonb NOT NULL, -- the rest of the file's metadata
  hash text NOT NULL,
  byte_length integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  display_name text, -- null in rows of earlier versions, whose display name is the name
  CONSTRAINT custom_models_id_form CHECK (id ~ '^mdl_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT custom_models_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
  CONSTRAINT custom_models_name_unique UNIQUE (organization_id, name),
  CONSTRAINT custom_models_token_type_known CHECK (token_type IN ('char', 'word')),
  CONSTRAINT custom_models_counts_safe CHECK (
    token_count BETWEEN 0 AND 9007199254740991 AND ngram_count BETWEEN 0 AND 9007199254740991
  ),
  CONSTRAINT custom_models_hash_is_sha256 CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT custom_models_not_empty CHECK (byte_length > 0)
);
CREATE INDEX custom_models_newest_first ON custom_models (organization_id, created_at DESC, name);

-- A file is stored in parts, so that no query transfers a whole file.
CREATE TABLE custom_model_parts (
  model_id text NOT NULL REFERENCES custom_models (id) ON DELETE CASCADE,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (model_id, position),
  CONSTRAINT custom_model_parts_position_not_negative CHECK (position >= 0)
);
-- Model files hardly compress, so compression would slow down uploads without saving much space.
ALTER TABLE custom_model_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE private_models (
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  hash text NOT NULL,
  agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  trained_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name),
  CONSTRAINT private_models_hash_form CHECK (hash ~ '^[0-9a-f]{64}$')
);
CREATE INDEX private_models_of_agent ON private_models (agent_id);

-- Private models that were deleted here and that an agent may still store. A row is deleted after the agent has
-- acknowledged it.
CREATE TABLE model_erasures (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  name text NOT NULL,
  requested_at timestamptz NOT NULL,
  sent_at timestamptz,
  CONSTRAINT model_erasures_id_form CHECK (id ~ '^ers_[0-9A-HJKMNP-TV-Z]{26}$')
);
CREATE INDEX model_erasures_of_agent ON model_erasures (agent_id, requested_at);

-- One row for each version, which never changes.
CREATE TABLE generators (
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  version text NOT NULL,
  description text NOT NULL,
  output text NOT NULL,
  definition_json text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name, version),
  CONSTRAINT generators_name_form CHECK (name ~ '^@[^@/]+/[^@/]+$'),
  CONSTRAINT generators_hash_is_sha256 CHECK (hash ~ '^[0-9a-f]{64}$')
);
CREATE INDEX generators_newest_first ON generators (organization_id, created_at DESC, name, version);
`;
