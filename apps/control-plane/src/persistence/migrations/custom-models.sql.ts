/** Models that organisations uploaded. Files lie in parts, so that none is ever read or written in one go. */
export const CREATE_CUSTOM_MODELS: readonly string[] = [
  `CREATE TABLE custom_models (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    description text,
    locale text NOT NULL,
    ngram_order integer NOT NULL,
    token_type text NOT NULL,
    token_count bigint NOT NULL,
    ngram_count bigint NOT NULL,
    facts jsonb NOT NULL, -- what else the file says about itself
    hash text NOT NULL,
    byte_length integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT custom_models_id_form CHECK (id ~ '^mdl_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT custom_models_name_form CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
    CONSTRAINT custom_models_name_unique UNIQUE (organization_id, name),
    CONSTRAINT custom_models_token_type_known CHECK (token_type IN ('char', 'word')),
    CONSTRAINT custom_models_counts_safe CHECK (
      token_count BETWEEN 0 AND 9007199254740991 AND ngram_count BETWEEN 0 AND 9007199254740991
    ),
    CONSTRAINT custom_models_hash_is_sha256 CHECK (hash ~ '^[0-9a-f]{64}$'),
    CONSTRAINT custom_models_not_empty CHECK (byte_length > 0)
  )`,
  `CREATE INDEX custom_models_newest_first ON custom_models (organization_id, created_at DESC, name)`,

  `CREATE TABLE custom_model_parts (
    model_id text NOT NULL REFERENCES custom_models (id) ON DELETE CASCADE,
    position integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (model_id, position),
    CONSTRAINT custom_model_parts_position_not_negative CHECK (position >= 0)
  )`,
  // Counts and indexes hardly shrink, and compressing them costs the upload more than the space is worth.
  `ALTER TABLE custom_model_parts ALTER COLUMN bytes SET STORAGE EXTERNAL`,
];

export const DROP_CUSTOM_MODELS: readonly string[] = [
  'DROP TABLE custom_model_parts',
  'DROP TABLE custom_models',
];
