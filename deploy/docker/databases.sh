#!/bin/sh
# Creates the role for source and target databases. It is not a superuser, and owns the databases that it creates. Then
# removes the superuser's password, so that the superuser can log in only inside the container. Runs once, when the
# server's data folder is created. The password is read from the environment, because other processes can see arguments.
set -eu
psql --set ON_ERROR_STOP=1 --set superuser="$POSTGRES_USER" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password UNDERSTUDY_DATABASES_PASSWORD
CREATE ROLE understudy LOGIN CREATEDB PASSWORD :'password';
ALTER ROLE :"superuser" PASSWORD NULL;
SQL
