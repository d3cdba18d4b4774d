import type { ValueTransformer, EntityManager } from 'typeorm';

/** bigint columns that hold at most 2^53 − 1 (a check of the table says so) as numbers. */
export const safeInteger: ValueTransformer = {
  to: (value: number | undefined) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};

/** SQL: the database's clock, in whole milliseconds as JavaScript has them. */
export const DATABASE_NOW = `date_trunc('milliseconds', clock_timestamp())`;

/**
 * Reads the database's clock. Leases and the last signs of agents are written and compared by this clock only: the clocks of several control
 * planes differ.
 */
export async function databaseNow(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<{ now: Date }[]>(`SELECT ${DATABASE_NOW} AS now`);
  if (row === undefined) throw new Error('the database gave no time');
  return row.now;
}
