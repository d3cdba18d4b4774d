#!/bin/sh
# Creates the control plane's role, which is not a superuser, and its database. Runs once, when the server's data folder
# is created. The password is read from the environment, because other processes can see arguments.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password UNDERSTUDY_CONTROL_DATABASE_PASSWORD
CREATE ROLE understudy_control LOGIN PASSWORD :'password';
CREATE DATABASE understudy_control OWNER understudy_control;
SQL
