import { type Client, quoteTable } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';

/**
 * Exempts the owner from the row security of the tables that the job created, because the switch reads their rows. Others
 * cannot use the tables before the switch is committed.
 * @param client a client in the transaction of the switch
 * @returns `restore`: forces row security for the owner again
 */
export async function suspendForcedRowSecurity(
  client: Client,
  plans: readonly TablePlan[],
): Promise<{ readonly restore: () => Promise<void> }> {
  const created = plans.filter(({ target }) => target === undefined).map(({ name }) => quoteTable(name));
  // Others wait for the switch, so it asks only if there is something to find.
  if (created.length === 0) return { restore: () => Promise.resolve() };
  const { rows } = await client.query<{ name: string }>(
    `SELECT l.name FROM pg_catalog.unnest($1::text[]) AS l (name)
       JOIN pg_catalog.pg_class c ON c.oid = l.name::pg_catalog.regclass AND c.relforcerowsecurity`,
    [created],
  );
  const forEach = async (action: string): Promise<void> => {
    const statements = rows.map(({ name }) => `ALTER TABLE ${name} ${action} ROW LEVEL SECURITY`);
    if (statements.length > 0) await client.query(statements.join('; '));
  };
  await forEach('NO FORCE');
  return { restore: () => forEach('FORCE') };
}
