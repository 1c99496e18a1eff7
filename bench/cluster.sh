#!/usr/bin/env bash
# Proves that of several hubs one writes, whatever fails: hubs and NATS servers are
# killed, stopped, cut off and slowed while four people write, with clocks that are up to
# 20 minutes apart; then that each time the leader is killed another writes soon. -n: rounds of each.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=100
while getopts n: option; do
  case $option in
    n) rounds=$OPTARG ;;
    *) exit 2 ;;
  esac
done
out=$(mktemp)
trap 'rm -f "$out"' EXIT
prove() {
  "$@" >"$out" 2>&1 || { cat "$out"; exit 1; }
  grep -E '[0-9]+ of [0-9]+|rounds, writes' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
}
prove go test -count=1 -v -run 'AnyOrderOfKills' ./internal/hub/cluster/oplog
CLUSTER_ROUNDS=$rounds prove go test -tags long,night -count=1 -timeout 90m -v -run OneWritesWhateverFails ./bench/cluster
CLUSTER_ROUNDS=$rounds prove go test -tags long,night -count=1 -timeout 30m -v -run AnotherHubTakesOver ./bench/cluster
