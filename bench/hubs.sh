#!/usr/bin/env bash
# Proves that three hubs of the built program write once, whatever fails: the one that
# leads is killed, stopped for longer than its lease and cut off, and NATS servers are
# killed, while six people write over all hubs. -n: rounds.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=50
while getopts n: option; do
  case $option in
    n) rounds=$OPTARG ;;
    *) exit 2 ;;
  esac
done
out=$(mktemp)
trap 'rm -f "$out"' EXIT
HUBS_ROUNDS=$rounds go test -tags long,night -count=1 -timeout 90m -v -run HubsWriteOnceWhateverFails ./bench/cluster >"$out" 2>&1 || { cat "$out"; exit 1; }
grep -E 'rounds: at most|oldest answer' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
