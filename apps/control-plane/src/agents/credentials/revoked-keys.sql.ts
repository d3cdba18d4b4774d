import { DATABASE_NOW } from '../../persistence/database-values.js';

export const LOCK_REVOCATIONS = `SELECT pg_advisory_xact_lock(hashtextextended('agent revocations', 0))`;

/**
 * Selects revoked keys, each with a Unix time in seconds. JWTs of the key that were issued up to this time
 * are refused. Omits keys whose last JWT has expired. $1 = seconds after the revocation during which a
 * replica may still sign a JWT, $2 = lifetime of a JWT in seconds.
 */
export const REVOKED_KEYS = `
  SELECT nats_public_key AS key, ceil(extract(epoch FROM revoked_at) + $1)::double precision AS until
  FROM agents
  WHERE revoked_at > ${DATABASE_NOW} - ($1 + $2) * interval '1 second'`;
