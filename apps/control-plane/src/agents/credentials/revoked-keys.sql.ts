import { DATABASE_NOW } from '../../persistence/database-values.js';

export const LOCK_REVOCATIONS = `SELECT pg_advisory_xact_lock(hashtextextended('agent revocations', 0))`;

/**
 * Selects revoked keys and the Unix time in seconds up to which their JWTs are refused. Omits keys whose last JWT has
 * expired. $1 = seconds after the revocation in which a JWT may still have been signed, $2 = lifetime of a JWT in
 * seconds.
 */
export const REVOKED_KEYS = `
  SELECT nats_public_key AS key, ceil(extract(epoch FROM revoked_at) + $1)::double precision AS until
  FROM agents
  WHERE revoked_at > ${DATABASE_NOW} - ($1 + $2) * interval '1 second'`;
