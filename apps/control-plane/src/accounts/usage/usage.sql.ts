/**
 * Adds one, or returns no row if that would exceed the limit. The row lock serialises concurrent calls. $1 =
 * organisation, $2 = metric, $3 = period, $4 = limit, $5 = the day to which one is also added, or null.
 */
export const TAKE_ONE = `
  WITH taken AS (
    INSERT INTO usage_counters AS counter (organization_id, metric, period, used)
    SELECT $1, $2, $3, 1 WHERE $4::bigint > 0
    ON CONFLICT (organization_id, metric, period)
    DO UPDATE SET used = counter.used + 1 WHERE counter.used < $4::bigint
    RETURNING used
  ), by_day AS (
    INSERT INTO usage_days AS counter (organization_id, day, metric, used)
    SELECT $1, $5::date, $2, 1 FROM taken WHERE $5::date IS NOT NULL
    ON CONFLICT (organization_id, day, metric) DO UPDATE SET used = counter.used + 1
  )
  SELECT used FROM taken`;

/** Subtracts one. $1 = organisation, $2 = a metric of existing resources. */
export const RELEASE_ONE = `
  UPDATE usage_counters SET used = used - 1
  WHERE organization_id = $1 AND metric = $2 AND period = 'standing' AND used > 0`;

/** Reads the counts. $1 = organisation, $2 = metrics, $3 = the period of each metric. */
export const READ_USAGE = `
  SELECT metric, used::float8 AS used FROM usage_counters
  WHERE organization_id = $1 AND (metric, period) IN (SELECT * FROM unnest($2::text[], $3::text[]))`;

/**
 * Returns the counts of the days that have any. $1 = organisation, $2 = first day, $3 = last day.
 */
export const READ_DAYS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, metric, used::float8 AS used FROM usage_days
  WHERE organization_id = $1 AND day BETWEEN $2::date AND $3::date`;

/**
 * Adds a batch of counts exactly once, even if it is sent repeatedly. $1 = the process, $2 = the number of
 * its batch, $3 = organisations, $4 = periods (months and days), $5 = counts. Rows are locked in the order of
 * their keys, so that concurrent processes cannot deadlock.
 */
export const ADD_CALLS = `
  WITH writer AS (
    INSERT INTO usage_writers (id, last_batch, written_at) VALUES ($1, $2, now())
    ON CONFLICT (id) DO UPDATE SET last_batch = EXCLUDED.last_batch, written_at = now()
    WHERE usage_writers.last_batch < EXCLUDED.last_batch
    RETURNING id
  ), calls AS (
    SELECT calls.organization_id, calls.period, calls.used
    FROM unnest($3::text[], $4::text[], $5::bigint[]) AS calls (organization_id, period, used)
    JOIN organizations ON organizations.id = calls.organization_id
    CROSS JOIN writer
  ), by_day AS (
    INSERT INTO usage_days AS counter (organization_id, day, metric, used)
    SELECT organization_id, period::date, 'api_calls', used FROM calls WHERE length(period) = 10
    ORDER BY organization_id, period
    ON CONFLICT (organization_id, day, metric) DO UPDATE SET used = counter.used + EXCLUDED.used
  )
  INSERT INTO usage_counters AS counter (organization_id, metric, period, used)
  SELECT organization_id, 'api_calls', period, used FROM calls WHERE length(period) = 7
  ORDER BY organization_id, period
  ON CONFLICT (organization_id, metric, period) DO UPDATE SET used = counter.used + EXCLUDED.used`;

export const FORGET_WRITERS = `DELETE FROM usage_writers WHERE written_at < now() - interval '1 day'`;
