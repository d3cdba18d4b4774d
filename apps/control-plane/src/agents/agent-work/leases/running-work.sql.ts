import { MAX_AGENT_SLOTS } from '@understudy/sync-job';
import { Type } from 'typebox';
import type { EntityManager } from 'typeorm';

import { instant, named, oneOf, type ResponseOf } from '../../../platform/http/operations/schemas.js';
import type { WorkTable } from './leased-work.js';

/** Work that an agent holds a lease for. */
export const RunningWork = named('RunningWork', {
  type: oneOf(['sync_job', 'snapshot', 'restore'], 'Kind of the work.'),
  id: Type.String({ description: 'Id of the sync job, the snapshot or the restore.' }),
  leased_at: instant('Time at which the agent got the work.'),
  held_until: instant('Time until which no other agent gets the work. Each heartbeat extends it.'),
});
export type RunningWork = ResponseOf<typeof RunningWork>;

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
