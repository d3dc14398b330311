#!/bin/sh
# Makes or updates Temporal's two databases on PostgreSQL. Running it again changes nothing.
# Reads SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD, as temporal-sql-tool does.
set -eu

update() {
  database=$1
  schema=$2
  # Both refuse what is there already; whatever else is wrong, the update below says.
  temporal-sql-tool --database "$database" create-database 2>/dev/null || true
  temporal-sql-tool --database "$database" setup-schema --version 0.0 2>/dev/null || true
  temporal-sql-tool --database "$database" update-schema --schema-name "$schema"
}

update temporal postgresql/v12/temporal
update temporal_visibility postgresql/v12/visibility
