#!/usr/bin/env bash
# Proves that money moves exactly once: with the connection cut at every byte
# of every kind of write, and with the program killed while it funds cards.
# -i: intents at least, -n: kills.
set -euo pipefail
cd "$(dirname "$0")/.."
intents=1000
kills=200
while getopts i:n: option; do
  case $option in
    i) intents=$OPTARG ;;
    n) kills=$OPTARG ;;
    *) exit 2 ;;
  esac
done
out=$(mktemp)
trap 'rm -f "$out"' EXIT
prove() {
  "$@" >"$out" || { cat "$out"; exit 1; }
  grep -E '[0-9]+ of [0-9]+|[0-9]+ double' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
}
MONEY_INTENTS=$intents prove go test -tags long,night -count=1 -timeout 30m -v -run MoneyMovesOnce ./internal/engine/loop
MONEY_KILLS=$kills prove go test -tags long,night -count=1 -timeout 60m -v -run KillsInTheMiddle ./e2e
