/** The usage of organisations, counted against the limits of their plans. */
export const USAGE = `
CREATE TABLE usage_counters (
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  metric text NOT NULL,
  period text NOT NULL, -- a month in UTC (2026-01), or 'standing' for the number of existing resources
  used bigint NOT NULL,
  PRIMARY KEY (organization_id, metric, period),
  CONSTRAINT usage_counters_metric_known CHECK (metric IN ('sync_jobs', 'endpoints', 'snapshots', 'api_calls')),
  CONSTRAINT usage_counters_period_form CHECK (period ~ '^([0-9]{4}-[0-9]{2}|standing)$'),
  CONSTRAINT usage_counters_used_safe CHECK (used BETWEEN 0 AND 9007199254740991)
);

-- The last batch of counts that each process wrote, so that a batch that is sent again counts once.
CREATE TABLE usage_writers (
  id text PRIMARY KEY,
  last_batch integer NOT NULL,
  written_at timestamptz NOT NULL
);
`;
