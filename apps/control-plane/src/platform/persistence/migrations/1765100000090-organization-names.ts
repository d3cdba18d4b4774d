import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Drops the unique index on names of organisations. The commands that create organisations compare the names in code,
 * in the same way as names of tokens.
 */
export class OrganizationNames1765100000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX organizations_name_unique');
  }

  async down(runner: QueryRunner): Promise<void> {
    // Not unique any more, because names that only differ in the case of other letters than A to Z are allowed.
    await runner.query('CREATE INDEX organizations_name_unique ON organizations (lower(name))');
  }
}
