/**
 * Organisations, their members and their API tokens. Each id consists of a prefix and a ULID. The name of a
 * constraint consists of its table and its meaning.
 */
export const ORGANIZATIONS = `
CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT organizations_id_form CHECK (id ~ '^org_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT organizations_plan_known CHECK (plan IN ('free', 'starter', 'team', 'business'))
);
CREATE UNIQUE INDEX organizations_name_unique ON organizations (lower(name));

CREATE TABLE members (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email text NOT NULL,
  email_key text NOT NULL, -- the address in lower case, for comparison
  name text,
  role text NOT NULL,
  invited_at timestamptz NOT NULL,
  joined_at timestamptz,
  invitation_hash bytea,
  invitation_expires_at timestamptz,
  scopes text[], -- the scopes of the token that invited the member; null if the role is the only limit
  invited_by_member_id text REFERENCES members (id) ON DELETE SET NULL,
  CONSTRAINT members_id_form CHECK (id ~ '^mem_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT members_role_known CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  CONSTRAINT members_scopes_not_empty CHECK (cardinality(scopes) > 0),
  CONSTRAINT members_email_unique UNIQUE (organization_id, email_key),
  CONSTRAINT members_invitation_unique UNIQUE (invitation_hash),
  CONSTRAINT members_invitation_is_sha256 CHECK (octet_length(invitation_hash) = 32),
  CONSTRAINT members_invited_or_joined CHECK ((joined_at IS NULL) = (invitation_hash IS NOT NULL)),
  CONSTRAINT members_invitation_ends CHECK ((invitation_hash IS NULL) = (invitation_expires_at IS NULL))
);
CREATE INDEX members_newest_first ON members (organization_id, invited_at DESC, id DESC);
CREATE INDEX members_invited_by ON members (invited_by_member_id) WHERE invited_by_member_id IS NOT NULL;

CREATE TABLE api_tokens (
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
  member_id text REFERENCES members (id) ON DELETE CASCADE, -- a member's tokens must never outlive the member
  scopes text[],
  -- The member who received the current text of an organisation's token by rotating it.
  text_known_to_member_id text REFERENCES members (id) ON DELETE SET NULL,
  -- True after another member rotated the token. Only the member who owns it can then receive a new text.
  needs_rotation boolean NOT NULL DEFAULT false,
  CONSTRAINT api_tokens_id_form CHECK (id ~ '^tok_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT api_tokens_role_known CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  CONSTRAINT api_tokens_scopes_not_empty CHECK (cardinality(scopes) > 0),
  CONSTRAINT api_tokens_hash_is_sha256 CHECK (octet_length(token_hash) = 32),
  CONSTRAINT api_tokens_hash_unique UNIQUE (token_hash)
);
CREATE INDEX api_tokens_of_organization ON api_tokens (organization_id);
CREATE INDEX api_tokens_newest_first ON api_tokens (organization_id, created_at DESC, id DESC)
  WHERE revoked_at IS NULL;
CREATE INDEX api_tokens_of_member ON api_tokens (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX api_tokens_text_known_to ON api_tokens (text_known_to_member_id)
  WHERE text_known_to_member_id IS NOT NULL;
CREATE INDEX api_tokens_ended ON api_tokens ((least(revoked_at, expires_at)));
`;
