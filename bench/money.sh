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
cases() { # what, tests, go test flags and packages
  go test -count=1 -v -run "$2" "${@:3}" >"$out" 2>&1 || { cat "$out"; exit 1; }
  local n
  n=$(grep -c '^--- PASS' "$out")
  [ "$n" -gt 0 ] || { echo "$1: no test ran" >&2; exit 1; }
  echo "$1: $n of $n tests"
}
cases "accounts: another one's key, a replaced key, a renamed profile, copied files" \
  'AnotherAccount|RotatedKey|OfAnEarlierVersion|TestAFolderIsOfAKey' ./internal/cmd ./internal/storage/...
cases "answers that disagree" 'NotWhatWasAskedFor|MakesNoRoom|WhatIsLarger|ChargedWhatTheAnswer|RefusalOfALaterTry' ./internal/cmd ./internal/engine ./state
cases "labels of digits" 'CapOfALabelHoldsForAnyLabel' ./internal/engine
cases "levels" 'ALevelIsReached|WasBeaten|RestsOnABalance' ./internal/cmd ./internal/engine ./state
cases "one key for two requests" 'AKeyIsFor|AKeyOfManyCards' ./internal/cmd
cases "damaged files" 'Damage|FlippedBit' ./internal/storage/... ./internal/cmd
MONEY_INTENTS=$intents prove go test -tags long,night -count=1 -timeout 30m -v -run MoneyMovesOnce ./internal/engine/loop
MONEY_KILLS=$kills prove go test -tags long,night -count=1 -timeout 60m -v -run KillsInTheMiddle ./e2e
