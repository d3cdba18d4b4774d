const BEFORE = `now() - make_interval(days => $1)`;

/**
 * Returns an SQL condition. It is true if any enrolled agent that meets `condition` has sent a heartbeat
 * within $1 days. Such an agent may still acknowledge its agent task.
 */
const mayAcknowledge = (condition: string) => `EXISTS (
    SELECT FROM agents AS agent
    WHERE ${condition} AND agent.revoked_at IS NULL AND agent.last_seen_at >= ${BEFORE}
  )`;

const deletion = (table: string, condition: string) => `
  DELETE FROM ${table} WHERE id IN (
    SELECT row.id FROM ${table} AS row WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED
  )`;

/** Deletes audit entries. $1 = days that entries are kept, at least 30; $2 = limit. */
export const FORGET_AUDIT_ENTRIES = deletion('audit_entries', `row.occurred_at < ${BEFORE}`);

/** Deletes the counts of days that are more than $1 days ago. $2 = limit. */
export const FORGET_USAGE_DAYS = `
  DELETE FROM usage_days WHERE (organization_id, day, metric) IN (
    SELECT organization_id, day, metric FROM usage_days
    WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::integer LIMIT $2 FOR UPDATE SKIP LOCKED
  )`;

/** Deletes the e-mail addresses of removed members to whom no audit entry refers any more. $1 = limit. */
export const FORGET_AUDIT_SUBJECTS = `
  DELETE FROM audit_subjects WHERE member_id IN (
    SELECT subject.member_id FROM audit_subjects AS subject
    WHERE NOT EXISTS (SELECT FROM members WHERE members.id = subject.member_id)
      AND NOT EXISTS (
        SELECT FROM audit_entries AS entry
        WHERE entry.organization_id = subject.organization_id AND entry.target_id = subject.member_id
      )
    LIMIT $1
  )`;

/** Deletes sign-ins through OpenID Connect that have expired. $1 = limit. */
export const FORGET_OIDC_SIGN_INS = `
  DELETE FROM oidc_sign_ins WHERE secret_hash IN (
    SELECT row.secret_hash FROM oidc_sign_ins AS row WHERE row.expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;

/**
 * The statements that delete old tokens, snapshots and agent tasks, and that shorten the definitions of ended
 * sync jobs. $1 = days of retention, $2 = limit. `snapshot_deletions` comes before `snapshots`, because a row
 * of `snapshots` stays while `snapshot_deletions` has a row for this snapshot.
 */
export const FORGET_ENDED: readonly string[] = [
  deletion('api_tokens', `least(row.revoked_at, row.expires_at) < ${BEFORE}`),
  deletion('dashboard_sessions', `row.ends_at < ${BEFORE}`),
  deletion('sign_in_links', `row.expires_at < ${BEFORE}`),
  deletion('enrolment_tokens', `row.expires_at < ${BEFORE}`),
  deletion(
    'snapshot_deletions',
    `row.requested_at < ${BEFORE}
      AND NOT ${mayAcknowledge('agent.organization_id = row.organization_id AND agent.snapshot_store = row.store')}`,
  ),
  deletion(
    'snapshots',
    `(row.expired_at IS NOT NULL OR row.delete_requested_at IS NOT NULL)
      AND least(row.expired_at, row.delete_requested_at) < ${BEFORE}
      AND row.status IN ('completed', 'failed')
      AND NOT EXISTS (SELECT FROM snapshot_deletions AS deletion WHERE deletion.snapshot_id = row.id)
      AND NOT EXISTS (
        SELECT FROM snapshot_restores AS restore
        WHERE restore.snapshot_id = row.id AND restore.status IN ('pending', 'running')
      )`,
  ),
  deletion(
    'model_erasures',
    `row.requested_at < ${BEFORE} AND NOT ${mayAcknowledge('agent.id = row.agent_id')}`,
  ),
  // Keeps the parts of a job's definition that API responses show: the names of tables, the lengths of
  // conditions, and hashes.
  `WITH ended AS (
      SELECT id FROM sync_jobs
      WHERE completed_at < ${BEFORE} AND completed_at IS NOT NULL AND definition_reduced_at IS NULL
      LIMIT $2 FOR UPDATE SKIP LOCKED
    ), fetched AS (
      DELETE FROM sync_job_rules USING ended WHERE job_id = ended.id RETURNING job_id, position, rules
    )
    UPDATE sync_jobs AS job SET definition_reduced_at = now(), definition = json_build_object(
      'unlistedColumns', job.definition -> 'unlistedColumns',
      'dryRun', coalesce(job.definition -> 'dryRun', 'false'),
      'tables', (
        SELECT coalesce(json_agg(
          CASE WHEN tables.one -> 'subset' IS NULL
            THEN json_build_object('name', tables.one -> 'name', 'columns', '[]'::json)
            ELSE json_build_object('name', tables.one -> 'name', 'columns', '[]'::json, 'subset', tables.one -> 'subset')
          END
          ORDER BY tables.number
        ), '[]')
        FROM (
          SELECT one, number FROM json_array_elements(job.definition -> 'tables') WITH ORDINALITY AS sent (one, number)
          UNION ALL SELECT rules, position FROM fetched WHERE job_id = job.id
        ) AS tables
      ),
      'compositions', (
        SELECT coalesce(json_agg(json_build_object('id', used.one -> 'id', 'hash', used.one -> 'hash')), '[]')
        FROM json_array_elements(coalesce(job.definition -> 'compositions', '[]')) AS used (one)
      )
    )
    FROM ended WHERE job.id = ended.id`,
];
