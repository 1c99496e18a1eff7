#!/usr/bin/env bash
# Measures the screen: the built program in a pseudo-terminal, together with fzf,
# the tables of bubbles and tview, and a program that does no more than it has to,
# all on the same cards. They are a module of their own, so that cardtop does not
# depend on them. Takes half an hour; leave the machine alone meanwhile.
#
#   bench/screen.sh [-cards N] [-rounds N] [-short]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
CGO_ENABLED=0 go build -o "$bin/cardtop" .
(cd bench/screen && CGO_ENABLED=0 go build -o "$bin/" ./bubbletable ./tviewtable ./floor ./drive github.com/junegunn/fzf)
"$bin/drive" -bin "$bin" "$@"
