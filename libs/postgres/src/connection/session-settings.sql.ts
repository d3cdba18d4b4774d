/**
 * The settings of every session. They give each value the same text form on source and target, for any
 * settings of the server, database or role. They also replace settings that change the meaning of SQL, hide
 * rows or end a session after an error. pg_dump sets what its own queries need. With row_security off, a
 * query fails if a row security policy would hide rows (PostgreSQL docs, "row_security"). JIT is off, because
 * it takes up to a second to compile a catalog query that runs for milliseconds. The view pg_settings is not read, because
 * it computes each of its hundreds of rows.
 */
export const SESSION_SETTINGS = `
  SET client_encoding = 'UTF8';
  SET datestyle = 'ISO, YMD';
  SET intervalstyle = 'postgres';
  SET extra_float_digits = 3;
  SET bytea_output = 'hex';
  SET array_nulls = on;
  SET xmlbinary = 'base64';
  SET xmloption = 'content';
  SET lc_monetary = 'C';
  SET timezone = 'UTC';
  SET standard_conforming_strings = on;
  SET backslash_quote = 'safe_encoding';
  SET transform_null_equals = off;
  SET quote_all_identifiers = off;
  SET default_transaction_isolation = 'read committed';
  SET default_transaction_deferrable = off;
  SET default_table_access_method = 'heap';
  SET gin_fuzzy_search_limit = 0;
  SET exit_on_error = off;
  SET search_path = '';
  SET row_security = off;
  SET statement_timeout = 0;
  SET lock_timeout = '60s';
  SET idle_in_transaction_session_timeout = 0;
  SELECT pg_catalog.set_config(name, value, false)
    FROM (VALUES ('idle_session_timeout', '0'), ('transaction_timeout', '0'), ('tcp_user_timeout', '0'),
                 ('restrict_nonsystem_relation_kind', '')) AS setting (name, value)
   WHERE pg_catalog.current_setting(name, true) IS NOT NULL;
  SET synchronize_seqscans = off;
  SET jit = off;
  SET tcp_keepalives_idle = 20;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 4;
  SELECT name, value
    FROM (VALUES ('session_replication_role', 'origin'), ('zero_damaged_pages', 'off'),
                 ('ignore_checksum_failure', 'off')) AS setting (name, value)
   WHERE pg_catalog.current_setting(name) <> value;
`;

/** A setting that an ordinary role cannot change, with the value that a copy needs. */
export interface PrivilegedSetting {
  readonly name: string;
  readonly value: string;
}

/** $1: the name of a setting, $2: its value. */
export const CHANGE_SETTING = 'SELECT pg_catalog.set_config($1, $2, false)';

/** Makes the server check during a statement that its client is still connected. */
export const LIVENESS_SETTINGS = `SET client_connection_check_interval = '5s'`;
