#!/bin/sh
# The namespace and Heddle's search attributes. Running it again changes nothing.
# Reads TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE (and TLS or key), as Temporal's command line does.
set -eu

namespace=${TEMPORAL_NAMESPACE:-default}
retention=${HEDDLE_RETENTION:-30d}

tries=0
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -ge 60 ]; then
    echo "Temporal does not answer at ${TEMPORAL_ADDRESS:-127.0.0.1:7233}" >&2
    exit 1
  fi
  sleep 1
done

temporal operator namespace describe --namespace "$namespace" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$namespace" --retention "$retention"

# A new namespace reaches the server's parts within seconds.
tries=0
until temporal operator search-attribute create --namespace "$namespace" \
  --name HeddleState --type Keyword \
  --name HeddleProject --type Keyword \
  --name HeddleWaitingOn --type KeywordList \
  --name HeddleCostUsd --type Double; do
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ]; then
    echo "The search attributes cannot be registered in $namespace" >&2
    exit 1
  fi
  sleep 1
done
