#!/usr/bin/env bash
# Proves what docs/RULES.md promises, in virtual time: no 24 hours have a cent more than the
# caps over kills at every byte. The simulation judges that rules act in time, and programs
# that run together.
set -euo pipefail
cd "$(dirname "$0")/.."
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
