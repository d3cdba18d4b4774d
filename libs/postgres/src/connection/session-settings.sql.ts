/**
 * The settings of every session. They give each value the same text form on source and target, for any
 * settings of the server or role. With row_security off, a query fails if a row security policy would hide
 * rows (PostgreSQL docs, "row_security"). JIT is off, because it takes up to a second to compile a catalog
 * query that runs for milliseconds.
 */
export const SESSION_SETTINGS = `
  SET client_encoding = 'UTF8';
  SET datestyle = 'ISO, YMD';
  SET intervalstyle = 'postgres';
  SET extra_float_digits = 3;
  SET bytea_output = 'hex';
  SET xmloption = 'content';
  SET lc_monetary = 'C';
  SET timezone = 'UTC';
  SET standard_conforming_strings = on;
  SET search_path = '';
  SET row_security = off;
  SET statement_timeout = 0;
  SET lock_timeout = '60s';
  SET idle_in_transaction_session_timeout = 0;
  SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings
   WHERE name IN ('idle_session_timeout', 'transaction_timeout');
  SET synchronize_seqscans = off;
  SET jit = off;
  SET tcp_keepalives_idle = 20;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 4;
`;

/** Makes the server check during a statement that its client is still connected. */
export const LIVENESS_SETTINGS = `SET client_connection_check_interval = '5s'`;
