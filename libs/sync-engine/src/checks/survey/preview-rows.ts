import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { quoteTable, type Client } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';
import { type MaskedRows, maskRows } from './mask-rows.js';

/** Rows of a table before and after masking, with the primary key and the columns with rules. */
export interface RowPreview extends MaskedRows {
  /** Whether rows were skipped because of their large values, so that no row is left. */
  readonly skipsLarge: boolean;
}

/**
 * Reads the first rows of a table and masks them. In a unique column, the preview can show a value that a job would
 * replace, because another row already has it. Must run in a transaction.
 * @throws MaskingError
 */
export async function previewRows(
  client: Client,
  plan: TablePlan,
  masks: ReadonlyMap<string, CellMask>,
  job: JobKeyMaterial,
  rows: number,
): Promise<RowPreview> {
  const from = quoteTable(plan.name);
  const masked = await maskRows(client, { plan, masks, job, from, rows, isOrdered: true });
  const skipsLarge = masked.columns.length > 0 && masked.before.length === 0 && (await hasRows(client, from));
  return { ...masked, skipsLarge };
}

async function hasRows(client: Client, from: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT EXISTS (SELECT FROM ${from}) AS found`);
  return rows[0]?.found === true;
}
