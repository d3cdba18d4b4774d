import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the members that a user may link to the account with which the user has signed in. */
export class OfferedMembers1765100000096 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oidc_sign_ins ADD COLUMN offered_member_ids text[],
        ADD CONSTRAINT oidc_sign_ins_offers_of_subject CHECK (offered_member_ids IS NULL OR subject IS NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_sign_ins DROP COLUMN offered_member_ids');
  }
}
