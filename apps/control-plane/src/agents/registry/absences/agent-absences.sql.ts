import { DATABASE_NOW } from '../../../platform/persistence/database-values.js';

/** Longer than the time between two sweeps, and shorter than the shortest absence that can be set. */
const GAP = `interval '15 seconds'`;

/**
 * Records that the control plane can receive heartbeats now. After a gap, in which no process could receive any or
 * the clock of the database was set, `since` starts again. Locks the row, so that sweeps run one after another.
 */
export const WATCH = `
  INSERT INTO agent_watch AS watch (since, until) VALUES (${DATABASE_NOW}, ${DATABASE_NOW})
  ON CONFLICT (only_row) DO UPDATE SET
    until = ${DATABASE_NOW},
    since = CASE
      WHEN watch.until BETWEEN ${DATABASE_NOW} - ${GAP} AND ${DATABASE_NOW} + ${GAP} THEN watch.since
      ELSE ${DATABASE_NOW}
    END`;

/** Ends the absences of agents that have sent a heartbeat since. $1 = limit. */
export const END_ABSENCES = `
  UPDATE agents AS agent SET away_since = NULL
  FROM (
    SELECT id, away_since FROM agents
    WHERE away_since <> last_seen_at AND revoked_at IS NULL
    LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
  ) AS absent
  WHERE agent.id = absent.id
  RETURNING agent.id, agent.organization_id AS "organizationId", agent.name, absent.away_since AS "awaySince"`;

/**
 * Starts the absences of agents that have been silent for $2 milliseconds of uninterrupted watch. A last heartbeat in
 * the future was received before the clock was set back, and the watch began after that. $1 = limit.
 */
export const START_ABSENCES = `
  UPDATE agents SET away_since = last_seen_at
  WHERE id IN (
    SELECT agent.id FROM agents AS agent, agent_watch AS watch
    WHERE agent.revoked_at IS NULL AND agent.away_since IS NULL
      AND watch.since <= ${DATABASE_NOW} - $2 * interval '1 millisecond'
      AND agent.last_seen_at NOT BETWEEN
        ${DATABASE_NOW} - $2 * interval '1 millisecond' AND ${DATABASE_NOW} + ${GAP}
    LIMIT $1 FOR NO KEY UPDATE OF agent SKIP LOCKED
  )
  RETURNING id, organization_id AS "organizationId", name, away_since AS "awaySince"`;
