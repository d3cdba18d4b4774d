import type { PreparedStatement } from '../../platform/persistence/statements.js';

/**
 * Lists a page of an organisation's endpoints, newest first. $1 = organisation, $2 = today, $3 = rows to
 * skip, $4 = rows to take.
 */
export const LIST_MOCK_ENDPOINTS = `
  SELECT endpoint.id, endpoint.path, endpoint.method, endpoint.auth, endpoint.created_at AS "createdAt",
    coalesce(counted.requests, 0)::float8 AS "requestsToday"
  FROM mock_endpoints AS endpoint
  LEFT JOIN mock_endpoint_requests AS counted ON counted.endpoint_id = endpoint.id AND counted.day = $2
  WHERE endpoint.organization_id = $1
  ORDER BY endpoint.created_at DESC, endpoint.id DESC OFFSET $3 LIMIT $4`;

/** Returns the number of calls on one day. $1 = endpoint, $2 = day. */
export const REQUESTS_OF_DAY = `
  SELECT requests::float8 AS requests FROM mock_endpoint_requests WHERE endpoint_id = $1 AND day = $2`;

/** Returns everything that is needed to serve an endpoint. $1 = its id. */
export const FIND_SERVED_ENDPOINT = {
  name: 'find_served_endpoint',
  text: `
  SELECT endpoint.id, endpoint.organization_id AS "organizationId", organization.plan, endpoint.method,
    endpoint.path, endpoint.auth, endpoint.schema_json AS "schemaJson", endpoint.response_json AS "responseJson",
    endpoint.models_json AS "modelsJson", endpoint.compositions_json AS "compositionsJson"
  FROM mock_endpoints AS endpoint
  JOIN organizations AS organization ON organization.id = endpoint.organization_id
  WHERE endpoint.id = $1`,
} as const satisfies PreparedStatement;

/**
 * Returns the current plan of an endpoint's organisation. Returns no row if the endpoint was deleted. $1 = id
 * of the endpoint.
 */
export const CHECK_SERVED_ENDPOINT = {
  name: 'check_served_endpoint',
  text: `
  SELECT organization.plan FROM mock_endpoints AS endpoint
  JOIN organizations AS organization ON organization.id = endpoint.organization_id
  WHERE endpoint.id = $1`,
} as const satisfies PreparedStatement;

/**
 * Adds a batch of counts exactly once, even if it is sent repeatedly. $1 = the process, $2 = the number of
 * its batch, $3 = endpoints, $4 = days, $5 = counts. Adds them for each endpoint and for each organisation.
 * Ignores counts of deleted endpoints. Locks the rows of the other endpoints and of their counts until the
 * commit, in the order of their keys, so that concurrent processes cannot deadlock.
 */
export const ADD_REQUESTS = `
  WITH writer AS (
    INSERT INTO usage_writers (id, last_batch, written_at) VALUES ($1, $2, now())
    ON CONFLICT (id) DO UPDATE SET last_batch = EXCLUDED.last_batch, written_at = now()
    WHERE usage_writers.last_batch < EXCLUDED.last_batch
    RETURNING id
  ), endpoint AS (
    SELECT id, organization_id FROM mock_endpoints WHERE id = ANY ($3::text[]) ORDER BY id FOR KEY SHARE
  ), by_day AS (
    INSERT INTO usage_days AS counter (organization_id, day, metric, used)
    SELECT endpoint.organization_id, calls.day, 'mock_calls', sum(calls.requests)
    FROM unnest($3::text[], $4::date[], $5::bigint[]) AS calls (id, day, requests)
    JOIN endpoint ON endpoint.id = calls.id
    CROSS JOIN writer
    GROUP BY endpoint.organization_id, calls.day
    ORDER BY endpoint.organization_id, calls.day
    ON CONFLICT (organization_id, day, metric) DO UPDATE SET used = counter.used + EXCLUDED.used
  )
  INSERT INTO mock_endpoint_requests AS counted (endpoint_id, day, requests)
  SELECT calls.id, calls.day, calls.requests
  FROM unnest($3::text[], $4::date[], $5::bigint[]) AS calls (id, day, requests)
  JOIN endpoint ON endpoint.id = calls.id
  CROSS JOIN writer
  ORDER BY calls.id, calls.day
  ON CONFLICT (endpoint_id, day) DO UPDATE SET requests = counted.requests + EXCLUDED.requests`;

/**
 * Deletes counts that are more than 31 days old. $1 = today, $2 = limit. The API shows the current day only; older rows
 * serve queries by an operator.
 */
export const FORGET_REQUESTS = `
  DELETE FROM mock_endpoint_requests WHERE (endpoint_id, day) IN (
    SELECT endpoint_id, day FROM mock_endpoint_requests WHERE day < $1::date - 31 LIMIT $2 FOR UPDATE SKIP LOCKED
  )`;
