import { quoteTable, type Client } from '@understudy/postgres';
import type { TablePlan } from '../plan/table-plan.js';
import { PARTITIONS } from './partitions.sql.js';

/**
 * Returns the plans of partitioned tables with all partitions that the snapshot has, so that a comparison also reads the
 * rows of a partition that the job has overlooked. Keeps those that were attached after the snapshot and copied.
 * @param source a client whose transaction uses the job's snapshot
 */
export async function withAllPartitions(
  plans: readonly TablePlan[],
  source: Client,
): Promise<(plan: TablePlan) => TablePlan> {
  const partitioned = plans.filter(({ leaves }) => leaves !== undefined);
  if (partitioned.length === 0) return (plan) => plan;
  const { rows } = await source.query<{ position: number; oid: string }>(PARTITIONS, [
    partitioned.map(({ name }) => quoteTable(name)),
  ]);
  const all = new Map(partitioned.map(({ index, leaves }) => [index, new Set(leaves)]));
  for (const { position, oid } of rows) all.get(partitioned[position - 1]?.index ?? -1)?.add(oid);
  return (plan) => {
    const leaves = all.get(plan.index);
    return leaves === undefined ? plan : { ...plan, leaves: [...leaves] };
  };
}
