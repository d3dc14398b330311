#!/bin/sh
# Starts Heddle with the keys of models, which come as secrets: a file for each variable, by its name. An empty file is no key.
set -eu
for file in /run/secrets/*; do
  [ -s "$file" ] || continue
  key=$(cat "$file")
  export "$(basename "$file")=$key"
done
exec node /opt/heddle/node_modules/heddle/bin/heddle.js "$@"
