import { type Client, quoteTable } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';

/**
 * Exempts the owner from the row security of the tables that the job created, because the switch reads their rows. Others
 * cannot use the tables before the switch is committed.
 */
export class ForcedRowSecurity {
  private constructor(
    private readonly client: Client,
    private readonly tables: readonly string[],
  ) {}

  /** @param client a client in the transaction of the switch */
  static async read(client: Client, plans: readonly TablePlan[]): Promise<ForcedRowSecurity> {
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

  /** Runs work that only reads, without the row security. Runs no statement afterwards that an event trigger sees. */
  async suspendedForReading<T>(work: () => Promise<T>): Promise<T> {
    if (this.tables.length === 0) return work();
    await this.run(['SAVEPOINT reading', ...this.statements('NO FORCE')]);
    const result = await work();
    await this.run(['ROLLBACK TO SAVEPOINT reading', 'RELEASE SAVEPOINT reading']);
    return result;
  }

  private statements(action: string): readonly string[] {
    return this.tables.map((name) => `ALTER TABLE ${name} ${action} ROW LEVEL SECURITY`);
  }

  private async run(statements: readonly string[]): Promise<void> {
    if (statements.length > 0) await this.client.query(statements.join('; '));
  }
}
