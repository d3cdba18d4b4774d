/** The largest number of tables of a job that replaces tables. */
export const MAX_TABLES = 1_000;
/** The largest number of tables of a job that replaces a database, and of the columns that they list in total. */
export const MAX_DATABASE_TABLES = 20_000;
export const MAX_DATABASE_COLUMNS = 200_000;
export const MAX_IGNORED_TABLES = 10_000;
/** The largest number of columns in one table, which is also PostgreSQL's limit. */
export const MAX_COLUMNS = 1_600;
export const MAX_LIMIT = 2 ** 31;
export const MAX_NAME_LENGTH = 200;

/** The largest number of databases that one agent offers. */
export const MAX_OFFERED_DATABASES = 100;
/** The largest number of labels of one agent, and of labels in one request. */
/** The longest time for which a replaced database is kept: one year. */
export const MAX_KEPT_HOURS = 365 * 24;
/** Leaves an operator time to notice a wrong replacement, and to bring the old database back. */
export const DEFAULT_KEPT_HOURS = 24;
export const MAX_AGENT_LABELS = 16;

export const AGENT_LABEL = /^[A-Za-z0-9][A-Za-z0-9._=-]{0,62}$/;

/**
 * The largest number of jobs that one agent runs concurrently. If an agent reports more free slots, the
 * control plane reduces the number to this limit.
 */
export const MAX_AGENT_SLOTS = 64;

/**
 * Describes a valid seed, for error messages. A seed is any integer that a JSON number represents exactly.
 */
export const SEED_EXPECTED = `an integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

export function isSeed(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Parses a seed in decimal, as in a query or an option. @returns undefined for any other text */
export function parseSeed(text: string): number | undefined {
  const value = /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN;
  return isSeed(value) ? value : undefined;
}
