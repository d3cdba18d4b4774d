import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A question asked so often that PostgreSQL should not read and plan it anew each time. */
export interface PreparedStatement {
  /** Of this text alone: a connection refuses another text under the same name. */
  readonly name: string;
  readonly text: string;
}

/**
 * Asks outside any transaction. Each connection keeps the statement by its name; TypeORM's own `query` has no names.
 * @throws the driver's error, not TypeORM's, when PostgreSQL is away
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

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** For `.catch`: throws what `refusal` makes when a unique constraint was broken, and anything else as it is. */
export const onUniqueViolation = (refusal: () => Error) => onViolation(UNIQUE_VIOLATION, refusal);

/** The same for a foreign key: what is deleted is still referred to. */
export const onForeignKeyViolation = (refusal: () => Error) => onViolation(FOREIGN_KEY_VIOLATION, refusal);

function onViolation(violation: string, refusal: () => Error): (error: unknown) => never {
  return (error) => {
    const code = (error as { driverError?: { code?: string } }).driverError?.code;
    throw code === violation ? refusal() : error;
  };
}
