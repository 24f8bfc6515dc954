#!/bin/sh
# Creates the role and the database of the server, at the first start of the container with PostgreSQL.
set -eu
psql --username=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/paigow_password)" <<'SQL'
CREATE ROLE paigow LOGIN NOSUPERUSER PASSWORD :'password';
CREATE DATABASE paigow OWNER paigow ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE paigow FROM PUBLIC;
SQL
