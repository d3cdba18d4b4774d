/**
 * One text form for every value on both sides, whatever the server's or the role's settings. Row security is off so that
 * a policy that would hide rows is an error and not a silent loss (PostgreSQL docs, "row_security").
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
  SET synchronize_seqscans = off;
`;
