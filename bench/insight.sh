#!/usr/bin/env bash
# Proves that the figures of spending are right: forecasts of spending and causes of
# declines against what happened, sums whatever the order of pages, and reports against
# the sandbox's own sums. -s: worlds whose reports are compared, -o: orders of pages,
# -q: few traces to forecast.
set -euo pipefail
cd "$(dirname "$0")/.."
worlds=25
orders=2000
tags=(-tags long,night)
while getopts s:o:q option; do
  case $option in
    s) worlds=$OPTARG ;;
    o) orders=$OPTARG ;;
    q) tags=() ;;
    *) exit 2 ;;
  esac
done
out=$(mktemp)
trap 'rm -f "$out"' EXIT
prove() {
  "$@" >"$out" 2>&1 || { cat "$out"; exit 1; }
  grep -E '[0-9]+ of [0-9]+|% in sum' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //' || true
}
prove go test "${tags[@]}" -count=1 -timeout 30m -v -run 'ForecastSixHoursAhead' ./state/burn
prove go test -count=1 -timeout 30m -v -run 'InjectedDeclines' ./state/decline
prove go test -count=1 -timeout 30m -v -run 'GoldenLedgers' ./state/ledger
echo "golden ledgers: $(grep -c '^    --- PASS: TestGoldenLedgers/' "$out") of $(find state/ledger/testdata -name '*.txt' | wc -l) right"
prove go test -count=1 -timeout 30m -v -run 'AnyOrderGivesTheSameLedger' ./state/ledger -rapid.checks="$orders"
sed -n -E 's/^.*OK, passed ([0-9]+) tests.*$/orders of pages: \1 of '"$orders"' give the same sums/p' "$out"
prove env HOLD_SEEDS=1-100 go test -count=1 -timeout 30m -v -run 'OpenHoldsOfWorlds' ./state/ledger
prove env REPORT_SEEDS="$worlds" go test -count=1 -timeout 60m -v -run 'WhatReportsPrint|ReportsAreRightToTheCent|HoldsAreThoseOfTheSandbox' ./internal/cmd
prove go test -tags long,night -count=1 -timeout 30m -v -run 'HoldsOnTheScreen' ./e2e
go test -tags long,night -count=1 -timeout 30m -v -run 'SpentOnTheScreen' ./e2e >"$out" 2>&1 || { cat "$out"; exit 1; }
echo "spent on screens and in exports: $(grep -c '^    --- PASS: TestSpentOnTheScreen' "$out") of $(grep -c '^    --- [A-Z]*: TestSpentOnTheScreen' "$out") worlds to the cent, before, while and after the past is read"
