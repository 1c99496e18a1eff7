#!/usr/bin/env bash
# Proves that secrets appear on a keypress, disappear by themselves and are nowhere
# else. -n: SIGKILLs while a number is shown, -k: sequences of random keys,
# -f: time for each fuzz target, none by default.
# As root it installs the Debian packages that are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=100
keys=10000
span=
while getopts n:k:f: option; do
  case $option in
    n) kills=$OPTARG ;;
    k) keys=$OPTARG ;;
    f) span=$OPTARG ;;
    *) exit 2 ;;
  esac
done
missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need tmux tmux
need Xvfb xvfb
need xclip xclip
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" -eq 0 ] || { echo "install first: ${missing[*]}" >&2; exit 1; }
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
prove() {
  CARDTOP_PROVE=$1 go test -tags long,night -count=1 -timeout 4h -v -run "$3" "$2" >"$out" 2>&1 || { cat "$out"; exit 1; }
  grep -E '[0-9]+ of [0-9]+|details were asked for' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
}
prove "$kills" ./api/client 'NoRedirect|BadAddress|SixSeconds'
prove "$kills" ./internal/config 'KeyGoesOnlyToItsOrigin'
prove "$kills" ./internal/clipboard/guard 'ClocksJump'
prove "$kills" ./e2e 'BrokenAnswers'
prove "$kills" ./e2e 'NothingLeaks'
prove "$kills" ./e2e 'WhileRevealed'
prove "$keys" ./e2e 'RandomKeys'
[ -z "$span" ] || bench/fuzz.sh "$span"
