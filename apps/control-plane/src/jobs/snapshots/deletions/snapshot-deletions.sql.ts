import { isLive } from '../../../agents/registry/agent-responses.js';

/**
 * Stores a deletion unless it exists already. $1 = id, $2 = organisation, $3 = snapshot, $4 = store, $5 = the
 * epoch before which archives are erased, or 0 for all archives, $6 = now.
 */
export const REQUEST_DELETION = `
  INSERT INTO snapshot_deletions (id, organization_id, snapshot_id, store, before_epoch, requested_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT snapshot_deletions_once DO NOTHING`;

const IS_BEING_RESTORED = `EXISTS (
    SELECT FROM snapshot_restores AS restore
    WHERE restore.snapshot_id = deletion.snapshot_id AND restore.status IN ('pending', 'running')
  )`;

/**
 * Selects deletions that no agent has acknowledged and that a live agent could execute, the oldest first. A
 * deletion is not due while a restore of its snapshot is pending or running. A deletion that a policy refused
 * is due when the policy allows it, and at the latest after $3, because policies can change. $1 = limit, $2 =
 * milliseconds until a deletion is sent again, $3 = milliseconds until a refused deletion is sent again.
 */
export const DUE_DELETIONS = `
  SELECT deletion.id
  FROM snapshot_deletions AS deletion
  WHERE (deletion.sent_at IS NULL OR deletion.sent_at < now() - $2 * interval '1 millisecond')
    AND (deletion.refused_until IS NULL OR deletion.refused_until <= now()
      OR deletion.sent_at < now() - $3 * interval '1 millisecond')
    AND EXISTS (
      SELECT FROM agents AS agent
      WHERE agent.organization_id = deletion.organization_id AND agent.snapshot_store = deletion.store
        AND agent.revoked_at IS NULL AND ${isLive('agent.last_seen_at')}
    )
    AND NOT ${IS_BEING_RESTORED}
  ORDER BY deletion.requested_at, deletion.id
  LIMIT $1`;

/** Selects a deletion if it may be sent now. $1 = id. */
export const SENDABLE_DELETION = `
  SELECT deletion.id, deletion.organization_id AS "organizationId", deletion.snapshot_id AS "snapshotId",
    deletion.store, deletion.before_epoch AS "beforeEpoch"
  FROM snapshot_deletions AS deletion
  WHERE deletion.id = $1 AND NOT ${IS_BEING_RESTORED}`;

/**
 * Locks the snapshot of a deletion. Run it before {@link END_DELETION}. Every other change of a snapshot also
 * locks the snapshot first, and the common lock order prevents deadlocks. $1 = a deletion's id.
 */
export const LOCK_SNAPSHOT_OF = `
  SELECT FROM snapshots
  WHERE id = (SELECT snapshot_id FROM snapshot_deletions WHERE id = $1)
  FOR UPDATE`;

/** Removes the row of a deletion that an agent with its store has acknowledged. $1 = id, $2 = agent. */
export const END_DELETION = `
  DELETE FROM snapshot_deletions AS deletion
  USING agents AS agent
  WHERE deletion.id = $1 AND agent.id = $2
    AND agent.organization_id = deletion.organization_id AND agent.snapshot_store = deletion.store
  RETURNING deletion.snapshot_id AS "snapshotId", deletion.store, deletion.before_epoch AS "beforeEpoch"`;

/** Records a refusal. $1 = id, $2 = agent, $3 = code, $4 = seconds until the deletion may be sent again. */
export const REFUSE_DELETION = `
  UPDATE snapshot_deletions AS deletion
  SET refused_code = $3, refused_until = now() + $4 * interval '1 second'
  FROM agents AS agent
  WHERE deletion.id = $1 AND agent.id = $2
    AND agent.organization_id = deletion.organization_id AND agent.snapshot_store = deletion.store`;

/** Selects the refusal that lasts longest. $1 = organisation, $2 = snapshot. */
export const STANDING_REFUSAL = `
  SELECT refused_code AS code, refused_until AS until
  FROM snapshot_deletions
  WHERE organization_id = $1 AND snapshot_id = $2 AND refused_until IS NOT NULL
  ORDER BY refused_until DESC
  LIMIT 1`;

/** Deletes the row of a snapshot that was erased from its store. $1 = snapshot, $2 = store. */
export const FORGET_SNAPSHOT = `
  DELETE FROM snapshots WHERE id = $1 AND delete_requested_at IS NOT NULL AND made ->> 'store' = $2`;
