#!/usr/bin/env bash
# Proves what docs/RULES.md promises, in virtual time: no card of a rule runs dry while
# the wallet has money, and no 24 hours hold a cent more than the caps over kills at every
# byte. With programs at once the simulation proves it. -c: cards, -t: hours.
set -euo pipefail
cd "$(dirname "$0")/.."
cards=500
hours=168
while getopts c:t: option; do
  case $option in
    c) cards=$OPTARG ;;
    t) hours=$OPTARG ;;
    *) exit 2 ;;
  esac
done
out=$(mktemp)
trap 'rm -f "$out"' EXIT
prove() {
  "$@" >"$out" 2>&1 || { cat "$out"; exit 1; }
  grep -E '[0-9]+ of [0-9]+' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
}
prove go test -count=1 -timeout 10m -v -run 'CapsHoldInAnyOrder' ./state/rule
go test -count=1 -v -run 'LeavesCardsToThePlans|LeavesACardToThePlan|CapOfALabelHolds|CapsOfLabels|WaitsForALead|WaitingForALead' ./state ./internal/engine >"$out" 2>&1 || { cat "$out"; exit 1; }
echo "plans of other programs, labels of digits, leads: $(grep -c '^--- PASS' "$out") of $(grep -c '^--- PASS' "$out") tests"
prove env EVERY_BYTE=1 go test -count=1 -timeout 30m -v -run 'AKillAtAnyByteCounts|CapsOfARuleHoldAcrossProcesses' ./internal/engine
prove env RULES_CARDS="$cards" RULES_HOURS="$hours" go test -tags long,night -count=1 -timeout 60m -v -run 'NoCardRunsDry' ./bench/rules
