#!/usr/bin/env bash
# Runs dashboard, watch and a hub with viewers on a sandbox with faults for hours, and
# compares what they take in the first and in the last quarter. -t: hours; of
# less than two, memory is shown and not judged. -b: with simulated traffic, beside codes
# and writes: then the feed keeps what comes, up to 100,000 transactions, and memory grows
# with that.
set -euo pipefail
cd "$(dirname "$0")/.."
hours=2
quiet=true
while getopts bt: option; do
  case $option in
    b) quiet=false ;;
    t) hours=$OPTARG ;;
    *) exit 2 ;;
  esac
done
[ "$(uname)" = Linux ] || { echo "SKIPPED: the soak reads /proc, and there is none here"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -ldflags= -o "$dir/cardtop" .
go build -o "$dir/soak" ./bench/soak
"$dir/soak" -program "$dir/cardtop" -hours "$hours" -quiet="$quiet"
