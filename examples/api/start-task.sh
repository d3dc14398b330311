#!/bin/sh
# Starts a plan with curl, prints what happens, and the report: HEDDLE_TOKEN=hdl_... examples/api/start-task.sh PLAN
set -eu
api=${HEDDLE_API:-http://127.0.0.1:7880/api/v1}

# The token goes through a pipe: all users of a machine see the arguments of a program.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$HEDDLE_TOKEN" |
    curl --config - --silent --show-error --fail-with-body "$@"
}

# A request that is sent again with the same key starts no second task.
key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
body=$(printf 'plan:\n  workspace: "%s"\n' "$PWD" && sed 's/^/  /' "$1")
started=$(ask "$api/tasks" -H 'Content-Type: application/yaml' -H "Idempotency-Key: $key" --data-binary "$body")
task=$(printf %s "$started" | sed 's/.*"taskId":"\([^"]*\)".*/\1/')
echo "task $task"

# The stream ends with the task. Numbered frames are its events.
ask --no-buffer "$api/tasks/$task/stream" | sed -n 's/^data: .*"type":"\([a-z.-]*\)".*/\1/p'
ask "$api/tasks/$task/report" -H 'Accept: text/markdown'
