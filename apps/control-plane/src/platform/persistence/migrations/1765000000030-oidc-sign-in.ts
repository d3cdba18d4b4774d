import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds sign-in through OpenID Connect: sign-ins that have not ended, and the accounts of members. */
export class OidcSignIn1765000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oidc_sign_ins (
        secret_hash bytea PRIMARY KEY, -- SHA-256 of the secret in the browser's cookie
        provider_id text NOT NULL,
        -- Set until the provider has sent the browser back:
        state text,
        nonce text,
        code_verifier text,
        -- Set after it, while the user chooses one of several organisations:
        subject text,
        expires_at timestamptz NOT NULL,
        CONSTRAINT oidc_sign_ins_hash_is_sha256 CHECK (octet_length(secret_hash) = 32),
        CONSTRAINT oidc_sign_ins_one_step CHECK (
          num_nonnulls(state, nonce, code_verifier) = CASE WHEN subject IS NULL THEN 3 ELSE 0 END
        )
      );
      CREATE INDEX oidc_sign_ins_expired ON oidc_sign_ins (expires_at);

      CREATE TABLE member_accounts (
        issuer text NOT NULL,
        subject text NOT NULL,
        member_id text NOT NULL REFERENCES members (id) ON DELETE CASCADE,
        linked_at timestamptz NOT NULL,
        CONSTRAINT member_accounts_key PRIMARY KEY (issuer, subject, member_id),
        CONSTRAINT member_accounts_one_per_issuer UNIQUE (member_id, issuer)
      );
      CREATE INDEX members_of_address ON members (email_key)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oidc_sign_ins, member_accounts; DROP INDEX members_of_address');
  }
}
