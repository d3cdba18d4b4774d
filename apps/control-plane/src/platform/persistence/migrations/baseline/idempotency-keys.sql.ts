/**
 * Idempotency keys of requests, each with its first response. A key belongs to an organisation and an
 * operation. The table stores hashes of the key and of the request, not their text.
 */
export const IDEMPOTENCY_KEYS = `
CREATE TABLE idempotency_keys (
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  operation text NOT NULL,
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,
  holder text NOT NULL,
  held_until timestamptz NOT NULL,
  effect_at timestamptz, -- written by the transaction of the effect
  status integer,
  answer json, -- not jsonb, to keep the order of keys of the first response
  expires_at timestamptz NOT NULL,
  meta json, -- additional keys of the first response's meta, such as warnings; null if it has none
  PRIMARY KEY (organization_id, operation, key_hash),
  CONSTRAINT idempotency_keys_hash_is_sha256 CHECK (octet_length(key_hash) = 32),
  CONSTRAINT idempotency_keys_fingerprint_is_sha256 CHECK (octet_length(fingerprint) = 32),
  CONSTRAINT idempotency_keys_answer_with_status CHECK ((status IS NULL) = (answer IS NULL))
);
CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at);
`;
