import { quoteTable } from '@understudy/postgres';
import type { TablePlan } from '../table-plan.js';

/** The rows of a table that the job copies, to stand after FROM. Means nothing outside of the job's snapshot. */
export function copiedRows({
  name,
  source,
  rowFilter,
}: Pick<TablePlan, 'name' | 'source' | 'rowFilter'>): string {
  const table = `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
  const relationOid = source.isPartitioned ? undefined : source.oid;
  const filter = rowFilter?.conditionFor({ relationOid, fromPage: undefined, toPage: undefined });
  return filter === undefined ? table : `(SELECT * FROM ${table} WHERE ${filter}) AS copied`;
}
