import { databaseError, quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { isOlderAttempt } from './lock/older-attempts.js';

/**
 * Claims a new database for an attempt. The claim is the default `application_name` of the agent's own role in the
 * database: `understudy <work> <epoch>`. It is in a shared catalog, so that the transaction that renames the database can
 * read it; see {@link requireClaim}. It is dropped with the database.
 *
 * COMMENT locks the database object against other claims, and against a rename. So no claim replaces a later one, and
 * each claim is before or after the rename.
 * @param client a session in another database
 * @param name the `application_name` of the attempt, which ends with its epoch
 * @throws SyncJobError lease_lost if a later attempt has claimed the database · DatabaseError
 */
export async function claimDatabase(client: Client, database: string, name: string): Promise<void> {
  try {
    await client.query(`BEGIN; COMMENT ON DATABASE ${quoteIdentifier(database)} IS ${quoteLiteral(COMMENT)}`);
    const { rows } = await client.query<{ name: string }>(READ_CLAIM, [database]);
    if (rows.some((claim) => isOlderAttempt(name, claim.name)))
      throw new SyncJobError({ code: 'lease_lost' });
    await client.query(`
      ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} SET application_name TO ${quoteLiteral(name)};
      COMMIT`);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // without a connection, the server rolls back itself
    throw error instanceof SyncJobError ? error : databaseError(error, 'target');
  }
}

/**
 * Returns a statement that fails with the SQLSTATE {@link CLAIM_LOST} unless the database is claimed by the attempt.
 * Run it in the transaction that renames the database, after the rename, which locks the database object.
 */
export function requireClaim(database: string, name: string): string {
  return `SELECT 1 / (EXISTS (${claims(quoteLiteral(database))} AND c = ${quoteLiteral(CLAIM + name)}))::int`;
}

/** division_by_zero */
export const CLAIM_LOST = '22012';

const CLAIM = 'application_name=';
const COMMENT = 'Understudy builds this database. It replaces another one, or is dropped, when the job ends.';

const READ_CLAIM = claims('$1').replace('SELECT', `SELECT pg_catalog.substr(c, ${CLAIM.length + 1}) AS name`);

function claims(database: string): string {
  return `SELECT FROM pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) c
     WHERE s.setdatabase = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = ${database})
       AND s.setrole = (SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)
       AND pg_catalog.starts_with(c, '${CLAIM}')`;
}
