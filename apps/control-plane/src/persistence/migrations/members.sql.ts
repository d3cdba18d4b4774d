/** People of an organisation, and tokens that are theirs or narrowed. New columns are nullable: the version before keeps serving. */
export const CREATE_MEMBERS: readonly string[] = [
  `CREATE TABLE members (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email text NOT NULL,
    -- The address as it is compared: letters of any case are one address.
    email_key text NOT NULL,
    name text,
    role text NOT NULL,
    invited_at timestamptz NOT NULL,
    joined_at timestamptz,
    invitation_hash bytea,
    invitation_expires_at timestamptz,
    CONSTRAINT members_id_form CHECK (id ~ '^mem_[0-9A-HJKMNP-TV-Z]{26}$'),
    CONSTRAINT members_role_known CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    CONSTRAINT members_email_unique UNIQUE (organization_id, email_key),
    CONSTRAINT members_invitation_unique UNIQUE (invitation_hash),
    CONSTRAINT members_invitation_is_sha256 CHECK (octet_length(invitation_hash) = 32),
    CONSTRAINT members_invited_or_joined CHECK ((joined_at IS NULL) = (invitation_hash IS NOT NULL)),
    CONSTRAINT members_invitation_ends CHECK ((invitation_hash IS NULL) = (invitation_expires_at IS NULL))
  )`,
  // Cascade: a member's tokens must never outlive the member.
  `ALTER TABLE api_tokens ADD COLUMN member_id text REFERENCES members (id) ON DELETE CASCADE`,
  `ALTER TABLE api_tokens ADD COLUMN scopes text[]`,
  `ALTER TABLE api_tokens ADD CONSTRAINT api_tokens_scopes_not_empty CHECK (cardinality(scopes) > 0)`,
  `CREATE INDEX api_tokens_of_member ON api_tokens (member_id) WHERE member_id IS NOT NULL`,
];

export const DROP_MEMBERS: readonly string[] = [
  `ALTER TABLE api_tokens DROP COLUMN scopes, DROP COLUMN member_id`,
  `DROP TABLE members`,
];
