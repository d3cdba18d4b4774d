/** Creates the table in which development versions before 0.1.0 recorded their first migration. */
export const MADE_BY_A_DEVELOPMENT_VERSION = `
  CREATE TABLE schema_migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
  INSERT INTO schema_migrations (timestamp, name) VALUES (1763690400000, 'InitialSchema1763690400000')`;

/** The output of a command that is started with such a database. */
export const DEVELOPMENT_VERSION_REFUSED =
  'understudy-control-plane: This database was created by a development version before 0.1.0. Create an empty ' +
  'database and run `understudy-control-plane migrate` there (there is no upgrade path, because nothing was released).\n';
