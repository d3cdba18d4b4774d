/**
 * Agents, the tokens that enrol them, the nonces of their signatures, and their messages that could not be
 * processed.
 */
export const AGENTS = `
CREATE TABLE agents (
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
  snapshot_store text,
  offer jsonb, -- the work that the agent can do
  CONSTRAINT agents_id_form CHECK (id ~ '^agt_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT agents_nats_public_key_unique UNIQUE (nats_public_key),
  CONSTRAINT agents_sealing_key_is_x25519 CHECK (octet_length(sealing_public_key) = 32),
  CONSTRAINT agents_free_slots_not_negative CHECK (free_slots >= 0),
  CONSTRAINT agents_snapshot_store_form CHECK (snapshot_store ~ '^[0-9a-f]{32}$')
);
CREATE INDEX agents_of_organization ON agents (organization_id) WHERE revoked_at IS NULL;

-- A nonce is kept until its signature is too old to be accepted.
CREATE TABLE agent_nonces (
  agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  nonce text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, nonce)
);
CREATE INDEX agent_nonces_expires_at ON agent_nonces (expires_at);

CREATE TABLE enrolment_tokens (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  agent_id text REFERENCES agents (id) ON DELETE SET NULL,
  made_by_member_id text REFERENCES members (id) ON DELETE SET NULL,
  CONSTRAINT enrolment_tokens_hash_is_sha256 CHECK (octet_length(token_hash) = 32),
  CONSTRAINT enrolment_tokens_hash_unique UNIQUE (token_hash),
  CONSTRAINT enrolment_tokens_agent_needs_use CHECK (agent_id IS NULL OR used_at IS NOT NULL)
);
CREATE INDEX enrolment_tokens_of_organization ON enrolment_tokens (organization_id);
CREATE INDEX enrolment_tokens_newest_first ON enrolment_tokens (organization_id, created_at DESC, id DESC);
CREATE INDEX enrolment_tokens_made_by ON enrolment_tokens (made_by_member_id) WHERE made_by_member_id IS NOT NULL;
CREATE INDEX enrolment_tokens_ended ON enrolment_tokens (expires_at);

-- Messages that could not be processed: ids and codes, no content. There is no foreign key, because the sender
-- may be unknown.
CREATE TABLE dead_letters (
  agent_id text NOT NULL,
  code text NOT NULL,
  journal_seq bigint NOT NULL, -- 0 if the message has none
  stream_seq bigint NOT NULL,
  pattern text,
  work_id text,
  sqlstate text,
  times integer NOT NULL DEFAULT 1,
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (agent_id, code, journal_seq)
);
CREATE INDEX dead_letters_newest_of_agent ON dead_letters (agent_id, last_at DESC);
CREATE INDEX dead_letters_newest ON dead_letters (last_at DESC);
`;
