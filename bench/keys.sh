#!/usr/bin/env bash
# Proves that a key acts on the card under the cursor while the list changes,
# and that what is pasted writes nothing, whatever is open. -n: keys.
set -euo pipefail
cd "$(dirname "$0")/.."
n=100000
[ "${1:-}" = "-n" ] && n=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
prove() {
  "$@" >"$out" || { cat "$out"; exit 1; }
  grep -E '[0-9]+ of [0-9]+' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
}
PROOF_KEYS=$n prove go test -tags long,night -count=1 -timeout 30m -v -run KeysActOnTheCard ./e2e
PROOF_KEYS=$n prove go test -tags long,night -count=1 -timeout 60m -v -run WhateverIsPasted ./e2e
