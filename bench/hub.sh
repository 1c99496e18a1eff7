#!/usr/bin/env bash
# Measures a hub against its bars and prints each figure beside its bar: what many viewers
# cost of the key's hour, when the last has a code, memory and CPU of the built program,
# reads a second, and many hubs on three NATS servers. Leave the machine alone meanwhile.
# -v: viewers in the hour; -h, -c, -m: hubs, cards and the most viewers on NATS; -s: short,
# only what does not need a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
viewers=50
hubs=20
cards=100000
most=5000
short=
while getopts v:h:c:m:s option; do
  case $option in
    v) viewers=$OPTARG ;;
    h) hubs=$OPTARG ;;
    c) cards=$OPTARG ;;
    m) most=$OPTARG ;;
    s) short=1 ;;
    *) exit 2 ;;
  esac
done
export BENCH_HUB=full
ulimit -n "$(ulimit -Hn)"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
held=0
all=0
measure() { # COMMAND...: one test
  all=$((all + 1))
  if "$@" >"$out" 2>&1; then held=$((held + 1)); else grep -E '^ +[a-z_]+\.go:[0-9]+: ' "$out" | grep -vE ': (hub|push): ' >&2 || cat "$out" >&2; fi
  sed -n -E 's/^ *([a-z_]+\.go:[0-9]+: )?((hub|push): )/\2/p' "$out"
}
measure env HUB_VIEWERS="$viewers" go test -tags long,night -count=1 -timeout 30m -v -run FiftyViewersCostAsOne ./internal/hub
measure env HUB_VIEWERS="$viewers" BENCH_SYNC=full go test -tags long,night -count=1 -timeout 30m -v -run 'PushedCodesOfAHub|PushedHourOfAHub' ./bench/sync
if [ -z "$short" ]; then
  measure go test -tags long,night -count=1 -timeout 10m -v -run FiguresOfAHub ./bench/ssh
  measure go test -tags long,night -count=1 -timeout 10m -v -run ReadsServed ./internal/hub
  measure env LOAD_HUBS="$hubs" LOAD_CARDS="$cards" LOAD_VIEWERS="$most" go test -tags long,night -count=1 -timeout 60m -v -run ManyHubsAndViewers ./bench/cluster
fi
echo "$held of $all parts within their bars"
[ "$held" = "$all" ]
