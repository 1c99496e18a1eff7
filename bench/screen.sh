#!/usr/bin/env bash
# Measures the screen: the built program in a pseudo-terminal, side by side
# with the tables of bubbles and tview on the same cards. The others live in a
# module of their own, so that the product does not depend on them.
#
#   bench/screen.sh [-cards 1000,10000,100000] [-transactions N] [-rounds N]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -trimpath -o "$bin/cardtop" .
for peer in bubbletable tviewtable drive; do
  (cd bench/screen && go build -trimpath -o "$bin/$peer" "./$peer")
done
"$bin/drive" -bin "$bin" "$@"
