/**
 * Renews the leases a heartbeat names and returns those that are still the agent's. A lease that has been released is not
 * renewed: the job may be on its way to another agent. A job that is to be cancelled stays the agent's until it says so. $1 = agent, $2 = jobs, $3 = epochs, $4 = milliseconds.
 */
export const RENEW_LEASES = `
  UPDATE sync_jobs AS job
  SET lease_expires_at = now() + $4 * interval '1 millisecond'
  FROM unnest($2::text[], $3::integer[]) AS held (job_id, epoch)
  WHERE job.id = held.job_id AND job.epoch = held.epoch AND job.agent_id = $1
    AND job.status IN ('pending', 'running') AND job.lease_expires_at IS NOT NULL
  RETURNING job.id AS "jobId", job.epoch, job.cancel_requested_at IS NOT NULL AS cancelled`;
