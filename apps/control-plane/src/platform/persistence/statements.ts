import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A frequent query that PostgreSQL should parse and plan only once for each connection. */
export interface PreparedStatement {
  /** Each text needs a name of its own, because a connection refuses a second text under the same name. */
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a prepared statement outside any transaction. Each connection prepares the statement once, under its
 * name. TypeORM's own `query` cannot do this.
 * @throws the driver's error, not TypeORM's, if PostgreSQL is unreachable
 */
export async function queryPrepared<Row extends object>(
  dataSource: DataSource,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  const { rows } = await pool.query<Row>({ name, text, values: [...values] });
  return rows;
}

/** Runs an UPDATE or DELETE. @returns the number of rows that it has changed */
export async function changedRows(
  manager: Pick<EntityManager, 'query'>,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const [, rows] = await manager.query<[unknown[], number]>(statement, [...values]);
  return rows;
}

/**
 * Makes changes to the members and tokens of one organisation run one after another, until the transaction ends. Other
 * requests can still insert rows that refer to the organisation.
 */
export async function lockOrganization(manager: Pick<EntityManager, 'query'>, id: string): Promise<void> {
  await manager.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [id]);
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Returns a handler for `.catch`. It throws the error from `refusal` for a violated unique constraint, and
 * rethrows any other error.
 */
export const onUniqueViolation = (refusal: () => Error) => onViolation(UNIQUE_VIOLATION, refusal);

/**
 * Like {@link onUniqueViolation}, for a violated foreign key: other rows still reference the row to delete.
 */
export const onForeignKeyViolation = (refusal: () => Error) => onViolation(FOREIGN_KEY_VIOLATION, refusal);

function onViolation(violation: string, refusal: () => Error): (error: unknown) => never {
  return (error) => {
    const code = (error as { driverError?: { code?: string } }).driverError?.code;
    throw code === violation ? refusal() : error;
  };
}
