import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the sessions of the dashboard and the links with which members sign in once. */
export class DashboardSessions1765000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dashboard_sessions (
        id text PRIMARY KEY,
        organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        session_hash bytea NOT NULL, -- SHA-256 of the cookie's value
        member_id text REFERENCES members (id) ON DELETE CASCADE, -- null for a token of the organisation
        token_id text REFERENCES api_tokens (id) ON DELETE CASCADE, -- null unless a token signed in
        token_hash bytea, -- the token's hash at sign-in, so that a rotation of the token ends the session
        signed_in_by text NOT NULL,
        created_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT dashboard_sessions_id_form CHECK (id ~ '^ses_[0-9A-HJKMNP-TV-Z]{26}$'),
        CONSTRAINT dashboard_sessions_hash_is_sha256 CHECK (octet_length(session_hash) = 32),
        CONSTRAINT dashboard_sessions_hash_unique UNIQUE (session_hash),
        CONSTRAINT dashboard_sessions_sign_in_known CHECK (signed_in_by IN ('token', 'link', 'oidc')),
        CONSTRAINT dashboard_sessions_token_signed_in CHECK ((token_id IS NOT NULL) = (signed_in_by = 'token')),
        CONSTRAINT dashboard_sessions_token_hash CHECK ((token_id IS NULL) = (token_hash IS NULL)),
        CONSTRAINT dashboard_sessions_has_owner CHECK (token_id IS NOT NULL OR member_id IS NOT NULL)
      );
      CREATE INDEX dashboard_sessions_of_member ON dashboard_sessions (member_id) WHERE member_id IS NOT NULL;
      CREATE INDEX dashboard_sessions_of_token ON dashboard_sessions (token_id) WHERE token_id IS NOT NULL;
      CREATE INDEX dashboard_sessions_of_organization ON dashboard_sessions (organization_id);
      CREATE INDEX dashboard_sessions_oldest_first ON dashboard_sessions (ends_at);

      CREATE TABLE sign_in_links (
        id text PRIMARY KEY,
        organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        member_id text NOT NULL REFERENCES members (id) ON DELETE CASCADE,
        link_hash bytea NOT NULL, -- SHA-256 of the secret in the link
        made_by_member_id text REFERENCES members (id) ON DELETE CASCADE, -- null for the command line and tokens
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        CONSTRAINT sign_in_links_id_form CHECK (id ~ '^lnk_[0-9A-HJKMNP-TV-Z]{26}$'),
        CONSTRAINT sign_in_links_hash_is_sha256 CHECK (octet_length(link_hash) = 32),
        CONSTRAINT sign_in_links_hash_unique UNIQUE (link_hash)
      );
      CREATE INDEX sign_in_links_of_member ON sign_in_links (member_id);
      CREATE INDEX sign_in_links_made_by ON sign_in_links (made_by_member_id) WHERE made_by_member_id IS NOT NULL;
      CREATE INDEX sign_in_links_of_organization ON sign_in_links (organization_id);
      CREATE INDEX sign_in_links_oldest_first ON sign_in_links (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_links, dashboard_sessions');
  }
}
