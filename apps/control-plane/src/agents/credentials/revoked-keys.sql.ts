import { DATABASE_NOW } from '../../persistence/database-values.js';

export const LOCK_REVOCATIONS = `SELECT pg_advisory_xact_lock(hashtextextended('agent revocations', 0))`;

/**
 * Revoked keys, and the second up to which their JWTs are refused. A key whose last JWT has expired is not listed any more.
 * $1 = seconds after the revocation in which a JWT may have been signed, $2 = seconds that a JWT lives.
 */
export const REVOKED_KEYS = `
  SELECT nats_public_key AS key, ceil(extract(epoch FROM revoked_at) + $1)::double precision AS until
  FROM agents
  WHERE revoked_at > ${DATABASE_NOW} - ($1 + $2) * interval '1 second'`;
