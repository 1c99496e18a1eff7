#!/usr/bin/env bash
# Kills the sandbox under load and checks that nothing it had answered is lost.
# -n: kills.
set -euo pipefail
cd "$(dirname "$0")/.."
n=100
[ "${1:-}" = "-n" ] && n=$2
out=$(mktemp)
SANDBOX_KILLS=$n go test -tags night -count=1 -timeout 30m -v -run Kills ./api/sandbox >"$out" || { cat "$out"; exit 1; }
grep -E "answered|lost|twice" "$out" | sed 's/^ *//'
echo "$n of $n kills: nothing that was answered is lost, nothing is done twice"
