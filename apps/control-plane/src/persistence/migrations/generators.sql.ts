/** Compositions that organisations registered, one row a version; a version never changes. */
export const CREATE_GENERATORS: readonly string[] = [
  `CREATE TABLE generators (
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
  )`,
  `CREATE INDEX generators_newest_first ON generators (organization_id, created_at DESC, name, version)`,
];

export const DROP_GENERATORS: readonly string[] = ['DROP TABLE generators'];
