/** What organisations used of what their plans limit. */
export const CREATE_USAGE: readonly string[] = [
  `CREATE TABLE usage_counters (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    metric text NOT NULL,
    -- A month of UTC (2026-01), or 'standing' for what exists now.
    period text NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (organization_id, metric, period),
    CONSTRAINT usage_counters_metric_known CHECK (metric IN ('sync_jobs', 'endpoints', 'snapshots', 'api_calls')),
    CONSTRAINT usage_counters_period_form CHECK (period ~ '^([0-9]{4}-[0-9]{2}|standing)$'),
    CONSTRAINT usage_counters_used_safe CHECK (used BETWEEN 0 AND 9007199254740991)
  )`,
  // Jobs of the current month, which were made before there were counters.
  `INSERT INTO usage_counters (organization_id, metric, period, used)
    SELECT organization_id, 'sync_jobs', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), count(*) FROM sync_jobs
    WHERE created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    GROUP BY organization_id`,
  // Which batch of counts each process wrote last: a batch whose commit was not heard of is sent again and counts once.
  `CREATE TABLE usage_writers (
    id text PRIMARY KEY,
    last_batch integer NOT NULL,
    written_at timestamptz NOT NULL
  )`,
];

export const DROP_USAGE: readonly string[] = [`DROP TABLE usage_writers`, `DROP TABLE usage_counters`];
