#!/usr/bin/env bash
# Proves that the screen is right on real terminals: xterm, tmux, GNU screen and mosh
# under Xvfb, on a slow line, on a terminal that is stopped, in a shell that stops
# and resumes it, after a SIGKILL, in storms of sizes, and with few colours. Right is
# what the terminal shows when all of it is drawn anew.
# Before, random frames are written to an emulated terminal.
# -n: rounds, -s: seconds for which a terminal is stopped, -k: sequences of random
# frames, -o: folder for a picture of each, none by default. As root it installs the Debian packages that are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=20
stopped=60
sequences=100000
pictures=
while getopts n:s:k:o: option; do
  case $option in
    n) rounds=$OPTARG ;;
    s) stopped=$OPTARG ;;
    k) sequences=$OPTARG ;;
    o) mkdir -p "$OPTARG"; pictures=$(realpath "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need tmux tmux
need screen screen
need mosh-server mosh
need xterm xterm
need Xvfb xvfb
need xdotool xdotool
[ -z "$pictures" ] || need import imagemagick
[ -e /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf ] || missing+=(fonts-dejavu-core)
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" -eq 0 ] || { echo "install first: ${missing[*]}" >&2; exit 1; }
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
go test -count=1 -v -run TheTerminalShowsExactly ./ui/screen -rapid.checks="$sequences" >"$out" || { cat "$out"; exit 1; }
grep -q "OK, passed $sequences tests" "$out" || { cat "$out"; exit 1; }
printf '%-70s %s\n' "emulated terminal: right after each of random frames" "$sequences of $sequences"
CARDTOP_PROVE=$rounds CARDTOP_PROVE_STOP=$stopped CARDTOP_PICTURES=$pictures \
  go test -tags long,night -count=1 -timeout 4h -parallel 3 -v ./bench/terminals >"$out" 2>&1 || { cat "$out"; exit 1; }
grep -E '[0-9]+ of [0-9]+|memory grew' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
[ -z "$pictures" ] || echo "pictures: $pictures"
