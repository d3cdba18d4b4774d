export const MAX_TABLES = 1_000;
/** Of one table: as many as PostgreSQL has. */
export const MAX_COLUMNS = 1_600;
export const MAX_LIMIT = 2 ** 31;
export const MAX_NAME_LENGTH = 200;
