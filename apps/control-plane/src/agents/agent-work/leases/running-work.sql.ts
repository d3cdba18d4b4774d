import { MAX_AGENT_SLOTS } from '@understudy/sync-job';
import type { EntityManager } from 'typeorm';

import type { WorkTable } from './leased-work.js';

/** Work that an agent holds a lease for. */
export interface RunningWork {
  readonly type: 'sync_job' | 'snapshot' | 'restore';
  readonly id: string;
  readonly leased_at: string;
  readonly held_until: string;
}

/**
 * Returns the work that each of the agents holds, the oldest lease first and at most 64 of each agent. An
 * agent without work has no entry.
 */
export async function runningWorkOf(
  manager: EntityManager,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RunningWork[]>> {
  const rows = await manager.query<Row[]>(RUNNING_WORK, [agentIds]);
  const found = new Map<string, RunningWork[]>();
  for (const { agent_id, type, id, leased_at, held_until } of rows) {
    const work = {
      ...{ type, id },
      leased_at: leased_at.toISOString(),
      held_until: held_until.toISOString(),
    };
    found.set(agent_id, [...(found.get(agent_id) ?? []), work]);
  }
  return found;
}

interface Row extends Pick<RunningWork, 'type' | 'id'> {
  readonly agent_id: string;
  readonly leased_at: Date;
  readonly held_until: Date;
}

const TYPES: Readonly<Record<WorkTable, RunningWork['type']>> = {
  sync_jobs: 'sync_job',
  snapshots: 'snapshot',
  snapshot_restores: 'restore',
};

const LEASED = Object.entries(TYPES).map(
  ([table, type]) => `
    SELECT agent_id, '${type}' AS type, id, leased_at, lease_expires_at AS held_until FROM ${table}
    WHERE agent_id = ANY($1::text[]) AND lease_expires_at IS NOT NULL`,
);

const RUNNING_WORK = `
  SELECT agent_id, type, id, leased_at, held_until FROM (
    SELECT *, row_number() OVER (PARTITION BY agent_id ORDER BY leased_at, id) AS position
    FROM (${LEASED.join(' UNION ALL ')}) AS work
  ) AS numbered
  WHERE position <= ${MAX_AGENT_SLOTS}
  ORDER BY leased_at, id`;
