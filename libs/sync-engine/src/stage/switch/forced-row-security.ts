import { quoteTable } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { LocatedClient } from '../../session/located-client.js';
import { requireNone } from '../create/require-unaltered.js';

/**
 * Exempts the owner from the row security of the tables that the job created, because the switch reads their rows. Others
 * cannot use the tables before the switch is committed.
 */
export class ForcedRowSecurity {
  private constructor(
    private readonly client: LocatedClient,
    private readonly tables: readonly string[],
  ) {}

  /** @param client a client in the transaction of the switch */
  static async read(client: LocatedClient, plans: readonly TablePlan[]): Promise<ForcedRowSecurity> {
    const created = plans.filter(({ target }) => target === undefined).map(({ name }) => quoteTable(name));
    // Others wait for the switch, so it asks only if there is something to find.
    if (created.length === 0) return new ForcedRowSecurity(client, []);
    const { rows } = await client.query<{ name: string }>(
      `SELECT l.name FROM pg_catalog.unnest($1::text[]) AS l (name)
         JOIN pg_catalog.pg_class c ON c.oid = l.name::pg_catalog.regclass AND c.relforcerowsecurity`,
      [created],
    );
    return new ForcedRowSecurity(
      client,
      rows.map(({ name }) => name),
    );
  }

  /** Runs work without the row security, and forces it again. */
  async suspended<T>(work: () => Promise<T>): Promise<T> {
    await this.run(this.statements('NO FORCE'));
    const result = await work();
    await this.run(this.statements('FORCE'));
    return result;
  }

  /**
   * Runs work that only reads, without the row security. Runs no statement afterwards that an event trigger sees. Such a
   * trigger can replace relations by correct ones only for the work.
   * @param relations the tables and sequences that the work reads
   * @throws SyncJobError table_altered if their names or files are not the same after the work
   */
  async suspendedForReading<T>(relations: readonly TableName[], work: () => Promise<T>): Promise<T> {
    if (this.tables.length === 0) return work();
    await this.run(['SAVEPOINT reading', ...this.statements('NO FORCE')]);
    const result = await work();
    const read = await this.filesOf(relations);
    await this.run(['ROLLBACK TO SAVEPOINT reading', 'RELEASE SAVEPOINT reading']);
    const found = await this.filesOf(relations);
    requireNone(
      relations.filter((_, n) => read[n] !== found[n]),
      this.client.context.tableIndexOf,
    );
    return result;
  }

  private async filesOf(relations: readonly TableName[]): Promise<readonly (string | null)[]> {
    const { rows } = await this.client.query<{ file: string | null }>(
      `SELECT c.oid || ' ' || c.relfilenode AS file FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
         LEFT JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(l.name) ORDER BY l.n`,
      [relations.map(quoteTable)],
    );
    return rows.map(({ file }) => file);
  }

  private statements(action: string): readonly string[] {
    return this.tables.map((name) => `ALTER TABLE ${name} ${action} ROW LEVEL SECURITY`);
  }

  private async run(statements: readonly string[]): Promise<void> {
    if (statements.length > 0) await this.client.query(statements.join('; '));
  }
}
