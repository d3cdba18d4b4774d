import { DATABASE_NOW } from '../../../platform/persistence/database-values.js';

export const LOCK_REVOCATIONS = `SELECT pg_advisory_xact_lock(hashtextextended('agent revocations', 0))`;

/**
 * Selects the keys of revoked agents, and of agents whose identity another process has taken over. Each key has
 * a Unix time in seconds. JWTs of the key that were issued up to this time are refused. Omits keys whose last
 * refused JWT has expired. $1 = seconds after a revocation during which a replica may still sign a JWT, $2 =
 * lifetime of a JWT in seconds. The clocks of the replicas may differ by $1.
 */
export const REVOKED_KEYS = `
  SELECT nats_public_key AS key,
    greatest(
      ceil(extract(epoch FROM revoked_at) + $1), extract(epoch FROM jwts_refused_until)
    )::double precision AS until
  FROM agents
  WHERE revoked_at > ${DATABASE_NOW} - ($1 + $2) * interval '1 second'
    OR jwts_refused_until > ${DATABASE_NOW} - ($1 + $2) * interval '1 second'`;
