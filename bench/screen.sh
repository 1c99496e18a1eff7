#!/usr/bin/env bash
# Measures the screen: the built program in a pseudo-terminal, together with fzf on
# the same cards. It is a module of its own, so that cardtop does not depend on fzf.
# Takes half an hour; leave the machine alone meanwhile.
#
#   bench/screen.sh [-cards N] [-rounds N] [-short]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
CGO_ENABLED=0 go build -o "$bin/cardtop" .
(cd bench/screen && CGO_ENABLED=0 go build -o "$bin/" ./drive github.com/junegunn/fzf)
"$bin/drive" -bin "$bin" "$@"
