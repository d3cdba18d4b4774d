import { quoteLiteral, quoteTable, type Client } from '@understudy/postgres';
import { swappableTables } from './swappable-tables.js';
import { tableFacts } from './table-facts.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { StagedTable } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';

/** A replacement table, and the plan of the table that it replaces. */
export interface Swap {
  readonly plan: TablePlan;
  readonly staged: StagedTable;
}

/** Thrown if tables can no longer be swapped. The switch can still rewrite them from the staged rows. */
export class SwapRefused extends Error {
  override readonly name = 'SwapRefused';
}

export function swapsOf(plans: readonly TablePlan[], staged: readonly StagedTable[]): readonly Swap[] {
  return staged.flatMap((table) => {
    const plan = plans.find(({ index }) => index === table.tableIndex);
    return table.kind === 'swapped' && plan !== undefined ? [{ plan, staged: table }] : [];
  });
}

/**
 * Transfers the values of the existing tables' sequences to the replacements, and drops the existing tables. The
 * caller must have locked the tables. This function checks the tables again, because other sessions may have changed
 * them or created dependent objects since the job staged the replacements.
 * @param listed the oids of all existing tables of the job
 * @throws SwapRefused if a table has changed or another object depends on it
 */
export async function dropReplaced(
  client: Client,
  swaps: readonly Swap[],
  listed: readonly string[],
): Promise<void> {
  const free = await swappableTables(client, listed);
  if (swaps.some(({ plan }) => !free.has(plan.target?.oid ?? '')))
    throw new SwapRefused('another object depends on a table that was to be swapped');
  await requireSame(client, swaps);
  for (const { plan, staged } of swaps) await transferSequences(client, plan, staged);
  const names = swaps.map(({ plan }) => quoteTable(plan.name));
  await client.query(`DROP TABLE ${names.join(', ')} RESTRICT`);
}

/**
 * Checks that the tables with the real names have the definitions that the staging recorded. The tables with
 * the real names are the existing tables before the swap, and the replacements after it.
 * @throws SwapRefused
 */
export async function requireSame(client: Client, swaps: readonly Swap[]): Promise<void> {
  const facts = await tableFacts(
    client,
    swaps.map(({ plan }) => plan.name),
  );
  const changed = swaps.find(({ staged }, i) => facts[i] === undefined || facts[i] !== staged.facts);
  if (changed !== undefined)
    throw new SwapRefused(`table ${changed.plan.index} has changed since it was staged`);
}

/**
 * Excludes the replacement tables from {@link moveBack}. They stay in their hidden schemas, because the
 * switch inserts their rows into the existing tables.
 */
export async function keepHidden(client: Client, jobId: string, swaps: readonly Swap[]): Promise<void> {
  await client.query(
    `DELETE FROM ${stagingTable(jobId, 'moved')} WHERE classid::oid = 'pg_catalog.pg_class'::pg_catalog.regclass
        AND objid::oid IN (SELECT n::pg_catalog.regclass FROM pg_catalog.unnest($1::text[]) AS n)`,
    [swaps.map(({ staged }) => quoteTable(staged.into))],
  );
}

/**
 * Sets the sequences of a replacement to the values of the existing sequences. ALTER SEQUENCE locks the existing
 * sequence, so that no other session can get a value from it. A rollback does not undo setval. This is harmless,
 * because no other session uses the new sequence before the commit.
 */
async function transferSequences(
  client: Client,
  { target }: TablePlan,
  { into }: StagedTable,
): Promise<void> {
  const { rows } = await client.query<{ schema: string; name: string; increment: string }>(OWNED_SEQUENCES, [
    target?.oid ?? '0',
  ]);
  for (const { schema, name, increment } of rows) {
    const old = quoteTable({ schema, table: name });
    const made = quoteLiteral(quoteTable({ schema: into.schema, table: name }));
    await client.query(
      `ALTER SEQUENCE ${old} INCREMENT BY ${increment};
       SELECT pg_catalog.setval(${made}::pg_catalog.regclass, s.last_value, s.is_called) FROM ${old} AS s`,
    );
  }
}

/** Selects the sequences that a table owns, for serial and identity columns. $1: oid of the table. */
const OWNED_SEQUENCES = `
  SELECT n.nspname AS schema, c.relname AS name, s.seqincrement::text AS increment
    FROM pg_catalog.pg_depend d
    JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind = 'S'
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_sequence s ON s.seqrelid = c.oid
   WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
     AND d.refobjid = $1::oid AND d.deptype IN ('a', 'i')
   ORDER BY c.oid
`;
