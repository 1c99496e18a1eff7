#!/usr/bin/env bash
# Proves what a hub keeps: random requests as each role are answered with nothing of the
# cards that the role does not see; a removed token ends within a second; slow readers and
# 10,000 idle connections are borne; forged and doubled webhooks do nothing; a kill or a cut
# at a byte of a write doubles nothing.
# -n N: how many requests as each role (1,000), -f SPAN: how long each listener is fuzzed
# (20s), -b: only some bytes, and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
n=1000
span=20s
bytes=all
while getopts n:f:b option; do
  case $option in
    n) n=$OPTARG ;;
    f) span=$OPTARG ;;
    b) bytes= ;;
    *) exit 2 ;;
  esac
done
ulimit -n "$(ulimit -Hn)"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
held=0
all=0
prove() { # what, tests, packages
  all=$((all + 1))
  HUB_BYTES=$bytes PROOF_HUB=$n go test -count=1 -timeout 60m -v -run "$2" "${@:3}" >"$out" 2>&1 || { cat "$out" >&2; exit 1; }
  sed -n -E 's/^ *[a-z_]+\.go:[0-9]+: (hub: )/\1/p' "$out"
  tests=$(grep -c '^--- PASS' "$out")
  [ "$tests" -gt 0 ] || { echo "hub: $1: no test ran" >&2; exit 1; }
  echo "hub: $1: $tests of $tests proofs hold"
  held=$((held + 1))
}
prove "writes cut at bytes" 'WhereverAHubIsCut' ./internal/hub
[ -n "$bytes" ] || exit 0
prove "scope" 'OutOfScope|StreamTells|HiddenCards|WhatTheListDoesNotKnow|Relabelled' ./internal/hub
prove "ids that lead elsewhere" 'WhatIsNoID|OnlyIdentifiers|LabelOfNow' ./internal/hub ./api/client
prove "one hub a folder" 'AFolderHasOneHub' ./internal/hub/kept
prove "tokens and roles" 'WhoIsRemoved|WhoMayDoWhat|WhoMayNotAskAnyMore|AFileWithAMistake|NoToken' ./internal/hub ./internal/hub/team
prove "money" 'Approv|Refusal|KeyActsOnce|KeyOfBefore|LeadSettles|HubThatStops|OneAtATime|Guardrails' ./internal/hub
prove "slow readers" 'TooSlow|LatestReplaces' ./internal/hub ./internal/hub/stream
prove "forged, replayed and doubled webhooks" 'Forged|CountsOnce|OnlyASigned|NoDelivery|AtOnce|SlowOrMany|HeartbeatCounts' ./internal/push ./internal/push/endpoint
prove "idle connections" 'TenThousandIdle' -tags long,night ./internal/hub
all=$((all + 1))
bench/fuzz.sh "$span" internal/hub internal/push >"$out" 2>&1 || { cat "$out" >&2; exit 1; }
held=$((held + 1))
echo "hub: fuzz of its listeners, $span each: $(tail -n 1 "$out")"
echo "$held of $all parts hold"
