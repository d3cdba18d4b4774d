export const MAX_TABLES = 1_000;
/** Of one table: as many as PostgreSQL has. */
export const MAX_COLUMNS = 1_600;
export const MAX_LIMIT = 2 ** 31;
export const MAX_NAME_LENGTH = 200;

/** How many databases and labels one agent offers; a request names no more labels. */
export const MAX_OFFERED_DATABASES = 100;
export const MAX_AGENT_LABELS = 16;

export const AGENT_LABEL = /^[A-Za-z0-9][A-Za-z0-9._=-]{0,62}$/;

/** How many jobs one agent may be set to run at once, and so how many free slots of one are believed. */
export const MAX_AGENT_SLOTS = 64;

/** Every integer that a JSON number holds exactly; 0 and above are what `drawSeed` gives. */
export const SEED_EXPECTED = `an integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

export function isSeed(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The seed that a text writes in decimal, as in a query or an option. @returns undefined for any other text */
export function parseSeed(text: string): number | undefined {
  const value = /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN;
  return isSeed(value) ? value : undefined;
}
