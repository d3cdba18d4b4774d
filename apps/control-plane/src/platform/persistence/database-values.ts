import { parseExactJson, writeExactJson } from '@understudy/expression';
import { types } from 'pg';
import { Column, PrimaryColumn, type EntityManager, type ValueTransformer } from 'typeorm';

/** The columns of every row with an id that belongs to an organisation. */
export abstract class OwnedRow {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;
}

/** Converts bigint columns to numbers. A check constraint limits these columns to 2^53 − 1. */
export const safeInteger: ValueTransformer = {
  to: (value: number | undefined) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};

/**
 * Writes a value of a json column with the digits of all numbers. The entity declares the column as text, because
 * TypeORM would write other values with `JSON.stringify`. `JSON_TYPES` reads it.
 */
export const exactJson: ValueTransformer = {
  to: (value: unknown) => (value === undefined ? undefined : writeExactJson(value)),
  from: (value: unknown) => value,
};

/** The parsers of the connection: columns of type json keep the digits of all numbers. jsonb is for our own facts. */
export const JSON_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === types.builtins.JSON ? parseExactJson : types.getTypeParser(oid, format as 'text'),
};

/** An SQL expression for the database's clock in whole milliseconds, the resolution of JavaScript. */
export const DATABASE_NOW = `date_trunc('milliseconds', clock_timestamp())`;

/**
 * Reads the database's clock. Leases and the last heartbeats of agents use this clock only, because the
 * clocks of several servers differ.
 */
export async function databaseNow(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<{ now: Date }[]>(`SELECT ${DATABASE_NOW} AS now`);
  if (row === undefined) throw new Error("expected the database's time, got no row");
  return row.now;
}
