#!/usr/bin/env bash
# Measures the screen: the built program in a pseudo-terminal, on a sandbox with
# many cards.
#
#   bench/screen.sh [-cards 1000,10000,100000] [-transactions N] [-rounds N]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -trimpath -o "$bin/cardtop" .
go build -trimpath -o "$bin/screen" ./bench/screen
"$bin/screen" -exe "$bin/cardtop" "$@"
