#!/bin/sh
# Stands in for an agent CLI: reads its prompt on stdin and does better when the prompt tells it what went wrong.
prompt=$(cat)
says() { printf '%s\n' "$*"; sleep "${DEMO_PACE:-0.6}"; }

case "$HEDDLE_SUBTASK_ID" in
inspect)
  says "reading the project"
  printf '# Facts\n\n- three changes since the last release\n' >FACTS.md
  echo '{"status":"success","notes":"three changes since the last release"}'
  ;;
draft)
  says "writing the notes"
  printf '# Notes\n\n## Changes\n\n- faster start\n- fewer retries\n- better errors\n' >NOTES.md
  case "$prompt" in
  *retry_context*Upgrade*)
    says "the check missed a section: adding it"
    printf '\n## Upgrade\n\nNothing to do.\n' >>NOTES.md
    ;;
  esac
  echo "notes written"
  ;;
review)
  says "reviewing with a model of tier $HEDDLE_TIER"
  if [ "$HEDDLE_TIER" -lt 2 ]; then
    echo "error: cannot judge whether every change is named" >&2
    exit 1
  fi
  echo "every change is named" | tee REVIEW.md
  ;;
translate)
  for language in German French Spanish Japanese; do says "translating to $language"; done
  says "done"
  echo "four languages" | tee LANGUAGES.md
  ;;
announce)
  case "$prompt" in
  *'<guidance'*) echo "announced as a person said" | tee ANNOUNCED.md ;;
  *) echo '{"status":"blocked","notes":"It is not said which channel to announce in"}' ;;
  esac
  ;;
summary)
  says "putting it together"
  cat FACTS.md NOTES.md REVIEW.md >SUMMARY.md
  echo "summary written"
  ;;
esac
