#!/bin/sh
# Runs once, when the server's data folder is created: makes the control plane's role, which is no superuser, and its
# database. The password is read from the environment, because arguments are visible to other processes.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password UNDERSTUDY_CONTROL_DATABASE_PASSWORD
CREATE ROLE understudy_control LOGIN PASSWORD :'password';
CREATE DATABASE understudy_control OWNER understudy_control;
SQL
