/** Keys of requests, of an organisation and a route each, with the first answer. Neither key nor body can be read from it. */
export const CREATE_IDEMPOTENCY_KEYS: readonly string[] = [
  `CREATE TABLE idempotency_keys (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    operation text NOT NULL,
    key_hash bytea NOT NULL,
    fingerprint bytea NOT NULL,
    holder text NOT NULL,
    held_until timestamptz NOT NULL,
    -- Written by the transaction of the effect.
    effect_at timestamptz,
    status integer,
    answer json, -- not jsonb: the order of keys is the first answer's
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, operation, key_hash),
    CONSTRAINT idempotency_keys_hash_is_sha256 CHECK (octet_length(key_hash) = 32),
    CONSTRAINT idempotency_keys_fingerprint_is_sha256 CHECK (octet_length(fingerprint) = 32),
    CONSTRAINT idempotency_keys_answer_with_status CHECK ((status IS NULL) = (answer IS NULL))
  )`,
  `CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at)`,
];

export const DROP_IDEMPOTENCY_KEYS: readonly string[] = ['DROP TABLE idempotency_keys'];
