#!/usr/bin/env bash
# Proves that three hubs of the built program write once, whatever fails: the one that
# leads is killed, stopped for longer than its lease and cut off, NATS servers are killed
# and cut off, and links are slow, while six people write over all hubs with clocks that
# are up to 20 minutes apart. Before that the log is cut at each of its messages. -n: rounds.
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
go test -count=1 -v -run 'AnyOrderOfKills' ./internal/hub/cluster/oplog >"$out" 2>&1 || { cat "$out"; exit 1; }
grep -E '[0-9]+ of [0-9]+' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
HUBS_ROUNDS=$rounds go test -tags long,night -count=1 -timeout 90m -v -run HubsWriteOnceWhateverFails ./bench/cluster >"$out" 2>&1 || { cat "$out"; exit 1; }
grep -E 'rounds: at most|oldest answer' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
