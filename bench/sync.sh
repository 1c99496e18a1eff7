#!/usr/bin/env bash
# Measures how the program keeps up with the server, and prints the figures of
# docs/SPEED.md. Takes some ten minutes on two free cores.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0
BENCH_SYNC=full go test -tags long,night -count=1 -timeout 60m -v ./bench/sync >"$out" 2>&1 || status=$?
go test -tags long,night -count=1 -timeout 30m -v -run '^$' -bench Merge -benchtime 500x ./bench/sync >>"$out" 2>&1 || status=$?
sed -n -E 's/^ +\| /| /p; s/^ +\|$/|/p' "$out" | sed -E 's/^\| ([A-Z][^|]*)$/## \1/; s/^\| *$//'
grep -E 'push: ' "$out" | sed -E 's/^ *//' || true
[ "$status" = 0 ] || { cat "$out" >&2; exit "$status"; }
grep -E '^--- PASS' "$out"
echo "$(grep -c '^--- PASS' "$out") of $(grep -cE '^--- (PASS|FAIL)' "$out") measurements within their bars"
