import { quoteLiteral, quoteTable, type Client } from '@understudy/postgres';
import { swappableTables } from './swappable-tables.js';
import { tableFacts } from './table-facts.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { StagedTable } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';

/** A staged table, and the existing one that it is to stand in for. */
export interface Swap {
  readonly plan: TablePlan;
  readonly staged: StagedTable;
}

/** What was staged to be swapped cannot be: the existing tables can still be rewritten from it. */
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
 * Makes room: the existing tables go, when their sequences' values are with those that come. To be called with the tables locked: somebody may have
 * changed them since the staging, or hung something on them.
 * @param listed all existing tables of the job
 * @throws SwapRefused then
 */
export async function dropReplaced(
  client: Client,
  swaps: readonly Swap[],
  listed: readonly string[],
): Promise<void> {
  const free = await swappableTables(client, listed);
  if (swaps.some(({ plan }) => !free.has(plan.target?.oid ?? '')))
    throw new SwapRefused('another object depends on a table');
  await requireSame(client, swaps);
  for (const { plan, staged } of swaps) await carrySequences(client, plan, staged);
  const names = swaps.map(({ plan }) => quoteTable(plan.name));
  await client.query(`DROP TABLE ${names.join(', ')} RESTRICT`);
}

/** Checks that the tables with the given names are still as they were staged, before and after the swap. @throws SwapRefused */
export async function requireSame(client: Client, swaps: readonly Swap[]): Promise<void> {
  const facts = await tableFacts(
    client,
    swaps.map(({ plan }) => plan.name),
  );
  const changed = swaps.find(({ staged }, i) => facts[i] === undefined || facts[i] !== staged.facts);
  if (changed !== undefined) throw new SwapRefused(`table ${changed.plan.index} is not as it was staged`);
}

/** The staged tables stay out of sight, to be read from. */
export async function keepOutOfSight(client: Client, jobId: string, swaps: readonly Swap[]): Promise<void> {
  await client.query(
    `DELETE FROM ${stagingTable(jobId, 'moved')} WHERE classid::oid = 'pg_catalog.pg_class'::pg_catalog.regclass
        AND objid::oid IN (SELECT n::pg_catalog.regclass FROM pg_catalog.unnest($1::text[]) AS n)`,
    [swaps.map(({ staged }) => quoteTable(staged.into))],
  );
}

/**
 * A sequence goes on where its predecessor is, also when rows that took values from it are gone. Nobody may take one meanwhile: altering it, though nothing
 * changes, keeps others off. setval is of no consequence when the transaction is undone: nobody sees the new one yet.
 */
async function carrySequences(client: Client, { target }: TablePlan, { into }: StagedTable): Promise<void> {
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

/** $1: oid of a table. Those that it owns, of columns that count by default or are identities. */
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
